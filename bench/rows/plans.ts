// What PostgreSQL did with every statement, from the log of its module auto_explain: nothing is copied by hand, and
// statements within triggers are there as well.
import { existsSync, openSync, readSync, statSync } from 'node:fs';
import pg from 'pg';

/** One execution of a statement. */
export interface Execution {
  readonly text: string;
  readonly ms: number;
  /** Pages of 8 kB that it looked at, in memory or not: unlike the time, the same on a busy machine. */
  readonly pages: number;
  /** Tables that were read from end to end, each with the rows that were read. */
  readonly scanned: readonly { readonly table: string; readonly rows: number }[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Has every statement of sessions from now on explained into the server's log. */
export async function explainAll(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const settings = {
    session_preload_libraries: "'auto_explain'",
    log_line_prefix: "'@%a@ '",
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': "'json'",
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_parameter_max_length': '0',
  };
  await client.query(`load 'auto_explain'`);
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter system set ${name} = ${value}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** How long the log is now: what comes after it is read. */
export const lengthOf = (log: string): number => (existsSync(log) ? statSync(log).size : 0);

/** The bench's own statements begin with it, and are not judged. */
export const OWN = '/* bench */';

/** The statement without the number of its rows: parameters are not told apart, and lists of them are cut short. */
function shapeOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\$\d+/g, '$n')
    .replace(/(\$n, )+\$n/g, '$n, …')
    .replace(/(\((?:[^()]|\(\))*\))(?:, \1)+/g, '$1, …');
}

/** The executions that the log has from `offset` on. */
export function readExecutions(log: string, offset: number): Execution[] {
  const text = readFrom(log, offset);
  return text.split(/^(?=@[^@\n]*@ )/m).flatMap((entry) => {
    const head = /^@[^@\n]*@ LOG: +duration: ([\d.]+) ms +plan:\n/.exec(entry);
    if (!head) return [];
    const plan = JSON.parse(entry.slice(head[0].length).replace(/^\t/gm, '')) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    if (plan['Query Text'].trimStart().startsWith(OWN)) return [];
    return [
      {
        text: shapeOf(plan['Query Text']),
        ms: Number(head[1]),
        pages: (plan.Plan['Shared Hit Blocks'] ?? 0) + (plan.Plan['Shared Read Blocks'] ?? 0),
        scanned: scannedBy(plan.Plan),
      },
    ];
  });
}

function scannedBy(node: PlanNode): Execution['scanned'] {
  const { 'Actual Loops': loops = 0, 'Actual Rows': rows = 0, 'Rows Removed by Filter': removed = 0 } = node;
  const table = node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined;
  const own = table ? [{ table, rows: loops * (rows + removed) }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

function readFrom(file: string, offset: number): string {
  const length = lengthOf(file) - offset;
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  for (let done = 0; done < length; ) done += readSync(descriptor, bytes, done, length - done, offset + done);
  return bytes.toString('utf8');
}
