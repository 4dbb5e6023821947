// Checks a confinement from inside: a shell in the decoder's place reports what it can reach.
import { readlink } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Confinement, spawnConfined } from './confinement.ts';
import { mediaTool } from './program.ts';

/** What a program in the confinement was able to do. */
export interface Reach {
  readonly uid: number;
  /** Whether it may gain privileges: it has capabilities now, or a set-uid program could give it some. */
  readonly privileges: boolean;
  /** Whether it shares the service's network namespace, or sees an interface other than loopback. */
  readonly network: boolean;
  /** Other processes whose environment it can read. */
  readonly processes: number;
  /** The given files and folders that it can open. */
  readonly files: readonly string[];
  /** Names of its environment variables. */
  readonly variables: readonly string[];
  /** Whether its system calls are filtered (by a container's seccomp profile, say). */
  readonly filtered: boolean;
}

/** Built-ins and coreutils; the arguments are files to try. What cannot be opened fails quietly. */
const LOOK_AROUND = `
while read -r key value rest; do
  case "$key" in Uid: | NoNewPrivs: | CapEff: | Seccomp:) echo "$key $value" ;; esac
done </proc/self/status
echo "netns $(readlink /proc/self/ns/net)"
while read -r name rest; do
  case "$name" in lo:* | Inter-* | face*) ;; *) echo "interface $name" ;; esac
done </proc/net/dev
for folder in /proc/[0-9]*; do
  [ "$folder" = "/proc/$$" ] && continue
  { true <"$folder/environ"; } 2>/dev/null && echo "process $folder"
done
for file; do { true <"$file"; } 2>/dev/null && echo "file $file"; done
cat /proc/self/environ | tr '\\0' '\\n' | while IFS= read -r line; do echo "variable \${line%%=*}"; done
`;

/**
 * Runs the probe. Null if it cannot run: not on Linux, or the shell does not run in this confinement. `files` are
 * absolute paths of files and folders that the decoder should not be able to open.
 */
export async function probeConfinement(
  confinement: Confinement,
  files: readonly string[],
): Promise<Reach | null> {
  const ownNetwork = await readlink('/proc/self/ns/net').catch(() => null);
  if (ownNetwork === null) return null;
  const args = ['-c', LOOK_AROUND, 'probe', ...files];
  const child = spawnConfined(confinement, mediaTool('/bin/sh'), args, ['ignore', 'pipe', 'ignore']);
  const failed = new Promise<null>((resolve) => child.once('error', () => resolve(null)));
  const told = await Promise.race([text(child.stdout!), failed]);
  return told === null ? null : readReach(told, ownNetwork);
}

function readReach(told: string, ownNetwork: string): Reach | null {
  const all = (key: string) =>
    told.split('\n').flatMap((line) => (line.startsWith(`${key} `) ? [line.slice(key.length + 1)] : []));
  const one = (key: string) => all(key)[0];
  const [uid, capabilities, network] = [one('Uid:'), one('CapEff:'), one('netns')];
  if (uid === undefined || capabilities === undefined || !network) return null;
  return {
    uid: Number(uid),
    privileges: one('NoNewPrivs:') !== '1' || !/^0+$/.test(capabilities),
    network: network === ownNetwork || all('interface').length > 0,
    processes: all('process').length,
    files: all('file'),
    variables: all('variable'),
    filtered: one('Seccomp:') === '2',
  };
}
