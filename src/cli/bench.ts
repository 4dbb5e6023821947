// `likeness bench …`: error rates on an operator's own labelled files, and measures of their own captures.
import { Command } from 'commander';
import { benchLightCommand } from './bench-light.ts';
import { benchPadCommand } from './bench-pad.ts';
import { benchRecognitionCommand } from './bench-recognition.ts';

/** The `bench` command; one subcommand for each measurement. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('error rates on your own labelled files, measures of your own captures')
    .addCommand(benchRecognitionCommand())
    .addCommand(benchPadCommand())
    .addCommand(benchLightCommand());
}
