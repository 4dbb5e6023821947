// Connections to the database that last. A server that vanishes without a word, as in a failover, answers nothing and closes
// nothing, and neither does the line in between: both ends ask whether the other is still there.
import pg from 'pg';

const SECOND_MS = 1_000;

/** Options of every lasting connection. The delays are chosen, not measured; the system's own are two hours and never. */
export const LASTING = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10 * SECOND_MS,
  connectionTimeoutMillis: 10 * SECOND_MS,
} as const;

/**
 * What a session begins with. The server keeps the locks of a process whose machine is gone until it has asked for it in vain:
 * for half a minute from now on, by its own settings for two hours.
 */
const INTRODUCTION = `select pg_backend_pid() as pid,
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)`;

/** From when on an unanswered statement is asked after, and how often. Chosen, not measured. */
const ASK_EVERY_MS = 20 * SECOND_MS;
const ASKED_WITHIN_MS = 5 * SECOND_MS;
/** An answer that was sent a moment ago arrives within this. */
const ON_ITS_WAY_MS = 2 * SECOND_MS;
/** read_only_sql_transaction: what was the primary is a standby now. */
const READ_ONLY = '25006';

/**
 * A connection that finds out when nobody works on its statement any more. TCP's own questions tell of a machine that is gone,
 * after a quarter of an hour where something was sent meanwhile; of a proxy, a firewall or a frozen server they tell nothing,
 * since those answer them. So another connection asks the server: where it knows of no such session, or of one that has
 * nothing to do, no answer will come.
 */
export class LastingClient extends pg.Client {
  readonly #config: pg.ClientConfig;
  /** The server's number of this session; null: a pooler's, which nobody can ask after. */
  #pid: number | null = null;
  #isSpent = false;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.#config = config;
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const answer = query(...given);
      // What takes a callback answers nothing: nobody here uses that.
      if (answer instanceof Promise) this.#watch(answer);
      return answer;
    }) as pg.Client['query'];
  }

  /** Whether it leads to a server that takes no changes: another connection may lead elsewhere. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Connects and introduces itself; what cannot do both is closed. */
  async begin(): Promise<void> {
    try {
      await this.connect();
      await this.introduce();
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
  }

  /** Once, when it is connected. Not behind a pooler, whose sessions are not its clients'. */
  async introduce(): Promise<void> {
    const asked: pg.QueryConfig & { query_timeout: number } = {
      text: INTRODUCTION,
      query_timeout: LASTING.connectionTimeoutMillis,
    };
    const { rows } = await this.query<{ pid: number }>(asked);
    this.#pid = rows[0]!.pid;
  }

  #watch(answer: Promise<unknown>): void {
    let isOpen = true;
    const timer = setInterval(async () => {
      if (await this.#isWorkedOn()) return;
      setTimeout(() => isOpen && void this.end().catch(() => {}), ON_ITS_WAY_MS).unref();
    }, ASK_EVERY_MS);
    timer.unref();
    const close = () => {
      isOpen = false;
      clearInterval(timer);
    };
    answer.then(close, (error: unknown) => {
      close();
      if ((error as { code?: unknown } | null)?.code === READ_ONLY) this.#isSpent = true;
    });
  }

  /** True where nobody can say. */
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

/** A pool of them, which replaces those that break or lead to a server that takes no changes. */
export function openLastingPool({
  behindPooler = false,
  ...config
}: pg.PoolConfig & { readonly behindPooler?: boolean }): pg.Pool {
  const introduce = (client: pg.ClientBase) => (client as LastingClient).introduce();
  const pool = new pg.Pool({
    ...config,
    ...LASTING,
    Client: LastingClient,
    ...(!behindPooler && { onConnect: introduce }),
  });
  // Without a listener a connection that breaks between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('release', (_error, client) => {
    if ((client as unknown as LastingClient).isSpent) void client.end().catch(() => {});
  });
  return pool;
}
