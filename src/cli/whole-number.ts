// Numbers on the command line.
import { InvalidArgumentError } from 'commander';

/** Makes a parser of arguments that takes whole numbers from `least` to `most` alone. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most} is required`);
  };
}
