/**
 * Options of every lasting connection to the database. A server that vanishes without a word, as in a failover, answers
 * nothing and closes nothing: unless it is asked, a statement under way would wait for it without end. Linux asks ten times
 * in some eleven minutes, or as often as `net.ipv4.tcp_keepalive_intvl` and `_probes` say. The first delay is chosen, not
 * measured; the system's own is two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
