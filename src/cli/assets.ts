// `likeness assets`: the store of videos and frames.
import { Command } from 'commander';
import { adoptStore } from '../storage/assets/marked-blobs.ts';
import { openBlobStore } from '../storage/assets/open-blob-store.ts';
import { createStoreMarks } from '../storage/postgres/asset-store-marks.ts';
import { JSON_OPTION, writeAnswer } from './answer.ts';
import { withFoundation } from './with-foundation.ts';

/** The `assets` command. */
export function assetsCommand(): Command {
  return new Command('assets').description('the store of videos and frames').addCommand(adoptCommand());
}

function adoptCommand(): Command {
  return new Command('adopt')
    .description("make the configured store this database's own, whatever it holds")
    .addHelpText(
      'after',
      '\nThe service refuses a store without its own mark: it may be a file system that is not mounted. Run this after you\nmoved the assets without their mark, or lost them for good. Never give one store to two deployments: each deletes\nwhat its own database does not know.',
    )
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      const { store, mark } = await withFoundation(async ({ config, database }) => {
        const marks = createStoreMarks(database.db);
        await adoptStore(openBlobStore(config), marks);
        const place = config.ASSET_STORE === 'disk' ? `${config.dataDir}/assets` : config.ASSET_STORE;
        return { store: place, mark: (await marks.read())!.mark };
      });
      writeAnswer(json, { store, mark }, [
        `${store} is the asset store of this database now, by the mark ${mark}`,
      ]);
    });
}
