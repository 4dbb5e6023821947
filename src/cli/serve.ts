// `likeness serve`: runs the service; `npm start` calls it after the set-up.
import { Command } from 'commander';
import { serve } from '../composition/serve.ts';

/** The `serve` command. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service (configured by the environment) until SIGTERM')
    .action(() => serve(process.env));
}
