// Ports of other protocols, whose servers could mistake an HTTP request for one of their own.
import { type AllowList, isNamed } from './address.ts';

/** The WHATWG Fetch standard's list of bad ports (§2.9 "port blocking"), and 0, which no server can have. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Where databases and caches listen by default (IANA's registry and their manuals): SQL Server, Oracle, etcd, MySQL,
 * PostgreSQL, CouchDB, Redis and its Sentinel, Neo4j, InfluxDB, Cassandra, Elasticsearch, memcached, MongoDB. Some of
 * them act on a line of an HTTP request's body, or are HTTP servers.
 */
const DATA_PORTS: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 2379, 2380, 3306, 5432, 5984, 6379, 7474, 7687, 8086, 9042, 9200, 9300, 11211, 26379,
  27017, 27018, 27019, 33060,
]);

/** Whether a URL names a port that is refused: a bad one, or a database's of a host that the operator does not name. */
export function hasRefusedPort(url: URL, allow: AllowList): boolean {
  const port = url.port === '' ? null : Number(url.port);
  if (port === null) return false;
  return BAD_PORTS.has(port) || (DATA_PORTS.has(port) && !isNamed(url, allow));
}
