// `likeness doctor`: checks everything that a deployment depends on and says how to fix faults.

import { Command, InvalidArgumentError } from 'commander';
import { parseUrl } from '../base/parse-url.ts';
import { readConfig } from '../config/read-config.ts';
import { checkPage } from '../doctor/page.ts';
import { runDiagnosis } from '../doctor/run-diagnosis.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { EXIT } from './exit-codes.ts';

const SIGNS = { ok: '✓', warning: '!', failed: '✗', notEvaluated: '-' } as const;

function addressOf(text: string): URL {
  const url = parseUrl(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('not an http or https address');
}

/** The `doctor` command; exit code 1 if a check failed. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check ffmpeg, models, database, asset store, key and clock, and say how to fix what is wrong',
    )
    .option(
      '--url <address>',
      "check instead what a proxy in front does to the page: the service's public address, or a challenge's link",
      addressOf,
    )
    .option(...JSON_OPTION)
    .action(async ({ url, json }: { url?: URL; json?: boolean }) => {
      const checks = url ? await checkPage(url) : await runDiagnosis(() => readConfig(process.env));
      const ok = checks.every((check) => check.status !== 'failed');
      const rows = checks.map((check) => [SIGNS[check.status], check.name, check.detail]);
      const remedies = checks.flatMap((check) => (check.mend ? [`${check.name}: ${check.mend}`] : []));
      writeAnswer(json, { ok, checks }, [
        ...alignColumns(rows),
        ...(remedies.length > 0 ? ['', 'To fix:', ...remedies] : []),
      ]);
      if (!ok) process.exitCode = EXIT.fault;
    });
}
