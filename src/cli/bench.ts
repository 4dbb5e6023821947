// `likeness bench …`: error rates on an operator's own labelled files.
import { Command } from 'commander';
import { benchPadCommand } from './bench-pad.ts';
import { benchRecognitionCommand } from './bench-recognition.ts';

/** The `bench` command, with one subcommand per measurement. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('error rates on your own labelled files')
    .addCommand(benchRecognitionCommand())
    .addCommand(benchPadCommand());
}
