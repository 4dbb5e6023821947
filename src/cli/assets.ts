// `likeness assets`: the store of videos and frames.
import { Command } from 'commander';
import { adoptStore } from '../storage/assets/marked-blobs.ts';
import { openBlobStore } from '../storage/assets/open-blob-store.ts';
import { createStoreMarks } from '../storage/postgres/asset-store-marks.ts';
import { writeAnswer } from './answer.ts';
import { withFoundation } from './with-foundation.ts';

/** The `assets` command. */
export function assetsCommand(): Command {
  return new Command('assets')
    .description('the place where videos and frames lie')
    .addCommand(adoptCommand());
}

function adoptCommand(): Command {
  return new Command('adopt')
    .description('make the configured place the asset store of this database, whatever is or is not in it')
    .addHelpText(
      'after',
      "\nThe service refuses a place without its own mark: it may be a mount that is away. Run this after the assets were\nmoved without their mark, or are lost for good and the service shall go on without them. Do not point two deployments\nat one place: each deletes what the other's database knows and its own does not.",
    )
    .option('--json', 'answer as JSON')
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
