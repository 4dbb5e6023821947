// Parses whole numbers on the command line.
import { InvalidArgumentError } from 'commander';

/** Makes an argument parser that accepts only whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most} is required`);
  };
}
