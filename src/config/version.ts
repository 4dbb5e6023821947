// The version of this build, from package.json.
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Semantic version of this build. */
export const VERSION: string = version;

/** The User-Agent of this service's own calls. */
export const USER_AGENT = `Likeness/${VERSION}`;
