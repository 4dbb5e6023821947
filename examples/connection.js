// Where the service is and the keys for it: from the environment, or what `npm start` left in its data folder.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** @returns {{ baseUrl: string, apiKey: string, webhookSecret: string }} */
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
    const { base_url, api_key, webhook_secret } = JSON.parse(readFileSync(file, 'utf8'));
    return { baseUrl: base_url, apiKey: api_key, webhookSecret: webhook_secret };
  } catch {
    console.error(
      `No keys in ${file}. Run \`npm start\` first, or set LIKENESS_URL, LIKENESS_API_KEY and LIKENESS_WEBHOOK_SECRET.`,
    );
    process.exit(1);
  }
}
