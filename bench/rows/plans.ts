// Reads what PostgreSQL did with every statement from the log of its module auto_explain: no statement is copied by
// hand, and statements within triggers are included.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pg from 'pg';

/** One execution of a statement. */
export interface Execution {
  readonly text: string;
  readonly ms: number;
  /** Pages of 8 kB that it accessed, in memory or not: unlike the time, the same on a busy machine. */
  readonly pages: number;
  /** Tables read by a sequential scan, each with the number of rows read. */
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

/** Makes PostgreSQL explain every statement of sessions from now on in the server's log. */
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

/** Current length of the log, so that only what follows is read. */
export const lengthOf = (log: string): number => (existsSync(log) ? statSync(log).size : 0);

/** Prefix of the bench's own statements, which are not judged. */
export const BENCH_MARK = '/* bench */';

/**
 * Normalises a statement: parameters are not distinguished, and lists of them are shortened, so that the number of rows
 * does not matter.
 */
function shapeOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\$\d+/g, '$n')
    .replace(/(\$n, )+\$n/g, '$n, …')
    .replace(/(\((?:[^()]|\(\))*\))(?:, \1)+/g, '$1, …');
}

/**
 * The executions in the log from `offset` on; read as a stream, because the log can exceed the maximum string length.
 */
export async function readExecutions(log: string, offset: number): Promise<Execution[]> {
  const executions: Execution[] = [];
  let entry: string[] = [];
  const finish = () => {
    const execution = executionOf(entry);
    if (execution) executions.push(execution);
    entry = [];
  };
  for await (const line of createInterface({ input: createReadStream(log, { start: offset }) })) {
    if (/^@[^@]*@ /.test(line)) finish();
    entry.push(line);
  }
  finish();
  return executions;
}

/**
 * @param entry lines of the log, from one prefix to the next
 * @returns null if they are not a plan, or the plan of one of the bench's own statements
 */
function executionOf([head = '', ...lines]: readonly string[]): Execution | null {
  const ms = /^@[^@]*@ LOG: +duration: ([\d.]+) ms +plan:$/.exec(head)?.[1];
  if (ms === undefined) return null;
  const plan = JSON.parse(lines.map((line) => line.replace(/^\t/, '')).join('\n')) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  if (plan['Query Text'].trimStart().startsWith(BENCH_MARK)) return null;
  return {
    text: shapeOf(plan['Query Text']),
    ms: Number(ms),
    pages: (plan.Plan['Shared Hit Blocks'] ?? 0) + (plan.Plan['Shared Read Blocks'] ?? 0),
    scanned: scannedBy(plan.Plan),
  };
}

function scannedBy(node: PlanNode): Execution['scanned'] {
  const { 'Actual Loops': loops = 0, 'Actual Rows': rows = 0, 'Rows Removed by Filter': removed = 0 } = node;
  const table = node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined;
  const own = table ? [{ table, rows: loops * (rows + removed) }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}
