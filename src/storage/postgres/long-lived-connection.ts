// Long-lived database connections. A server that vanishes, as in a failover, neither answers nor closes its
// connections, and the network does not report it. Both ends therefore probe whether the other is still there.
import pg from 'pg';

const SECOND_MS = 1_000;

/**
 * Options of every long-lived connection. The delays are chosen, not measured. The system's defaults are two hours
 * before the first keep-alive probe, and no connection timeout.
 */
export const LONG_LIVED = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10 * SECOND_MS,
  connectionTimeoutMillis: 10 * SECOND_MS,
} as const;

/**
 * First statement of every session. If a client's machine vanishes, the server holds its locks until the TCP probes
 * have failed: half a minute with these settings, two hours with the server's defaults.
 */
const SESSION_SETUP = `select pg_backend_pid() as pid,
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)`;

/** An unanswered statement is asked about after this time, and then at this interval. Chosen, not measured. */
const ASK_EVERY_MS = 20 * SECOND_MS;
const ASKED_WITHIN_MS = 5 * SECOND_MS;
/** Time allowed for an answer that is already on its way. */
const ARRIVAL_MS = 2 * SECOND_MS;
/** SQLSTATE read_only_sql_transaction: the former primary is now a standby. */
const READ_ONLY = '25006';

/**
 * A connection that detects when the server no longer works on its statement. TCP keep-alive detects a vanished
 * machine, but only after a quarter of an hour if data was sent meanwhile. It detects nothing behind a proxy or a
 * firewall, or on a frozen server, because those answer the probes. A second connection therefore asks the server: if
 * the session does not exist there or is idle, no answer will come.
 */
export class LongLivedClient extends pg.Client {
  readonly #config: pg.ClientConfig;
  /** Backend process id of this session; null behind a pooler, whose sessions cannot be asked about. */
  #pid: number | null = null;
  #isReadOnly = false;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.#config = config;
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const answer = query(...given);
      // The callback form returns nothing; it is not used here.
      if (answer instanceof Promise) this.#watch(answer);
      return answer;
    }) as pg.Client['query'];
  }

  /** Whether the server refused a write as read-only. A new connection may reach another server. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Connects and calls {@link setUpSession}; if either fails, closes the connection and rejects. */
  async begin(): Promise<void> {
    try {
      await this.connect();
      await this.setUpSession();
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
  }

  /**
   * Sets up the session; call once, after connecting. Not behind a pooler, whose sessions do not belong to its clients.
   */
  async setUpSession(): Promise<void> {
    const asked: pg.QueryConfig & { query_timeout: number } = {
      text: SESSION_SETUP,
      query_timeout: LONG_LIVED.connectionTimeoutMillis,
    };
    const { rows } = await this.query<{ pid: number }>(asked);
    this.#pid = rows[0]!.pid;
  }

  #watch(answer: Promise<unknown>): void {
    let isOpen = true;
    const timer = setInterval(async () => {
      if (await this.#isWorkedOn()) return;
      setTimeout(() => isOpen && void this.end().catch(() => {}), ARRIVAL_MS).unref();
    }, ASK_EVERY_MS);
    timer.unref();
    const close = () => {
      isOpen = false;
      clearInterval(timer);
    };
    answer.then(close, (error: unknown) => {
      close();
      if ((error as { code?: unknown } | null)?.code === READ_ONLY) this.#isReadOnly = true;
    });
  }

  /** Whether the server still works on the statement; true if that cannot be determined. */
  async #isWorkedOn(): Promise<boolean> {
    if (this.#pid === null) return true;
    const asking = new pg.Client({
      ...this.#config,
      connectionTimeoutMillis: ASKED_WITHIN_MS,
      query_timeout: ASKED_WITHIN_MS,
    });
    asking.on('error', () => {});
    try {
      await asking.connect();
      const { rows } = await asking.query<{ state: string | null }>(
        'select state from pg_stat_activity where pid = $1',
        [this.#pid],
      );
      return rows[0] !== undefined && !rows[0].state?.startsWith('idle');
    } catch {
      return true;
    } finally {
      void asking.end().catch(() => {});
    }
  }
}

/** The connections of one process. */
export type ConnectionPool = pg.Pool;

/** A pool of {@link LongLivedClient}s. It replaces those that break or reach a read-only server. */
export function openLongLivedPool({
  behindPooler = false,
  ...config
}: pg.PoolConfig & { readonly behindPooler?: boolean }): ConnectionPool {
  const setUp = (client: pg.ClientBase) => (client as LongLivedClient).setUpSession();
  const pool = new pg.Pool({
    ...config,
    ...LONG_LIVED,
    Client: LongLivedClient,
    ...(!behindPooler && { onConnect: setUp }),
  });
  // Without a listener a connection that breaks between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('release', (_error, client) => {
    if ((client as unknown as LongLivedClient).isReadOnly) void client.end().catch(() => {});
  });
  return pool;
}
