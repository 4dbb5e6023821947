// A reporter in addition to vitest's own: lists at the end each test that passed only on a retry, with what had failed.
import type { Reporter, TestCase } from 'vitest/node';

export default class RetriedReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const reasons = (test.result().errors ?? []).map(({ message }) => message.split('\n', 1)[0]);
    this.#retried.push(`${test.module.relativeModuleId}: ${test.fullName}: ${reasons.join('; ')}`);
  }

  onTestRunEnd(): void {
    for (const line of this.#retried)
      process.stderr.write(`likeness: passed when it was run again: ${line}\n`);
  }
}
