// Address and keys of the service, from the environment or from the data folder of `npm start`.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * With `LIKENESS_SANDBOX=1` it uses the sandbox key: no camera is needed, and no result is real.
 * @returns {{ baseUrl: string, apiKey: string, webhookSecret: string }}
 */
export function connection() {
  const { LIKENESS_URL, LIKENESS_API_KEY, LIKENESS_WEBHOOK_SECRET } = process.env;
  if (LIKENESS_URL && LIKENESS_API_KEY && LIKENESS_WEBHOOK_SECRET) {
    return { baseUrl: LIKENESS_URL, apiKey: LIKENESS_API_KEY, webhookSecret: LIKENESS_WEBHOOK_SECRET };
  }
  const asRoot = process.getuid?.() === 0;
  const dataDir =
    process.env.DATA_DIR ?? (asRoot ? '/var/lib/likeness' : resolve(import.meta.dirname, '..', 'data'));
  const file = join(dataDir, 'dev-credentials.json');
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    const prefix = process.env.LIKENESS_SANDBOX === '1' ? 'sandbox_' : '';
    return {
      baseUrl: kept.base_url,
      apiKey: kept[`${prefix}api_key`],
      webhookSecret: kept[`${prefix}webhook_secret`],
    };
  } catch {
    console.error(
      `No keys in ${file}. Run \`npm start\` first, or set LIKENESS_URL, LIKENESS_API_KEY and LIKENESS_WEBHOOK_SECRET.`,
    );
    process.exit(1);
  }
}
