// `likeness assets`: the store of videos and frames.
import { Command } from 'commander';
import { createStoreMarks } from '../challenge/tables/asset-store-marks.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { adoptStore, countNewest } from '../storage/assets/marked-blobs.ts';
import { openBlobStore } from '../storage/assets/open-blob-store.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';

const MISSING_HINT =
  'unless the others are lost, they are under other paths: a folder groups assets by the end of their ids, a bucket does not (docs/operations/moving.md)';

/** The `assets` command. */
export function assetsCommand(): Command {
  return new Command('assets').description('the store of videos and frames').addCommand(adoptCommand());
}

function adoptCommand(): Command {
  return new Command('adopt')
    .description('make the configured store the asset store of this database, whatever it contains')
    .addHelpText(
      'after',
      '\nThe service refuses a store without its own mark, because its file system may not be mounted. Run this after you\nmoved the assets without the mark, or lost them permanently. Never give one store to two deployments: each deletes\nthe assets that its own database does not list.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      const { store, mark, asked, found } = await withFoundation(async ({ config, database }) => {
        const [blobs, marks] = [openBlobStore(config), createStoreMarks(database.db)];
        await adoptStore(blobs, marks);
        const place = config.ASSET_STORE === 'disk' ? `${config.dataDir}/assets` : config.ASSET_STORE;
        return { store: place, mark: (await marks.read())!.mark, ...(await countNewest(blobs, marks)) };
      });
      writeAnswer(json, { store, mark, newest_assets: asked, found }, [
        `${store} is now the asset store of this database, with the mark ${mark}`,
        ...(asked > 0 ? [`it has ${found} of the ${asked} newest assets`] : []),
        ...(found < asked ? [MISSING_HINT] : []),
      ]);
    });
}
