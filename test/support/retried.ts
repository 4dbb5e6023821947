// A reporter in addition to vitest's own: lists at the end each test that passed only on a retry, with what had failed.
// A machine that others use starves a test of its time now and then; where more tests need that excuse, the run fails.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, Vitest } from 'vitest/node';

/** Tests that may pass on a retry: of one process, or of all that .ci/run starts. */
const MOST = 2;
/** .ci/run makes it, empty: a line for each such test of the processes so far. */
const OF_ALL = 'build/retried.txt';

export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];
  #ofAll = '';

  onInit({ config }: Vitest): void {
    this.#ofAll = join(config.root, OF_ALL);
  }

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const reasons = (test.result().errors ?? []).map(({ message }) => message.split('\n', 1)[0]);
    this.#retried.push(`${test.module.relativeModuleId}: ${test.fullName}: ${reasons.join('; ')}`);
  }

  onTestRunEnd(): void {
    const say = (line: string) => process.stderr.write(`likeness: ${line}\n`);
    for (const line of this.#retried) say(`passed when it was run again: ${line}`);
    const count = this.#retried.length && this.#countAll();
    if (count <= MOST) return;
    say(`${count} tests passed only when they were run again, and at most ${MOST} may`);
    process.exitCode = 1;
  }

  /** How many these are, with those of earlier processes of .ci/run. */
  #countAll(): number {
    if (!existsSync(this.#ofAll)) return this.#retried.length;
    appendFileSync(this.#ofAll, this.#retried.map((line) => `${line}\n`).join(''));
    return readFileSync(this.#ofAll, 'utf8').trimEnd().split('\n').length;
  }
}
