// A reporter in addition to vitest's own: lists at the end each test that passed only on a retry, with what had failed.
// A machine that others use starves a test of its time now and then; where more tests need that excuse, the run fails.
import type { Reporter, TestCase } from 'vitest/node';

/** Tests of one run that may pass on a retry. */
const MOST = 2;

export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const reasons = (test.result().errors ?? []).map(({ message }) => message.split('\n', 1)[0]);
    this.#retried.push(`${test.module.relativeModuleId}: ${test.fullName}: ${reasons.join('; ')}`);
  }

  onTestRunEnd(): void {
    const say = (line: string) => process.stderr.write(`likeness: ${line}\n`);
    for (const line of this.#retried) say(`passed when it was run again: ${line}`);
    if (this.#retried.length <= MOST) return;
    say(`${this.#retried.length} tests passed only when they were run again, and at most ${MOST} may`);
    process.exitCode = 1;
  }
}
