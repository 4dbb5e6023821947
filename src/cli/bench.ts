// `likeness bench …`: error rates on an operator's own labelled files, and measurements of their own captures.
import { Command } from 'commander';
import { benchLightCommand } from './bench-light.ts';
import { benchPadCommand } from './bench-pad.ts';
import { benchRecognitionCommand } from './bench-recognition.ts';

/** The `bench` command, with one subcommand per measurement. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('error rates on your own labelled files, and measurements of your own captures')
    .addCommand(benchRecognitionCommand())
    .addCommand(benchPadCommand())
    .addCommand(benchLightCommand());
}
