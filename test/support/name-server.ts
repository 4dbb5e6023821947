// A DNS server that answers as the test tells it to: for names that point to internal addresses, or whose answer
// changes between two queries. Supports what a resolver asks: one question of type A or AAAA over UDP (RFC 1035 §4).
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
const NAME_ERROR = 3;

/** Addresses of a name, of both families; a string is the name that it is an alias of. */
export type Answers = readonly string[] | string;

export interface NameServer {
  /** For a resolver's list of servers. */
  readonly address: string;
  /** Questions of type A, as names. */
  readonly asked: string[];
  /** How often each name was queried, whatever the type. */
  readonly counts: Map<string, number>;
  /** Sets a name's answers: the first for the first query, and so on; the last for all that follow. */
  set(name: string, ...answers: Answers[]): void;
  close(): Promise<void>;
}

export async function startNameServer(host = '127.0.0.1', port = 0): Promise<NameServer> {
  const names = new Map<string, Answers[]>();
  const asked: string[] = [];
  const counts = new Map<string, number>();
  const rounds = new Map<string, number>();
  const socket = createSocket('udp4');
  const answersOf = (name: string, type: number): Answers | undefined => {
    const round = rounds.get(`${type} ${name}`) ?? 0;
    rounds.set(`${type} ${name}`, round + 1);
    const answers = names.get(name);
    return answers?.[Math.min(round, answers.length - 1)];
  };
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (type === TYPE_A) asked.push(name);
    const records: Buffer[] = [];
    let answers = answersOf(name, type);
    if (typeof answers === 'string') {
      records.push(record(TYPE_CNAME, encodeName(answers)));
      answers = answersOf(answers, type);
    }
    const known = answers !== undefined;
    const addresses = (typeof answers === 'object' ? answers : []).map((text) => ipaddr.parse(text));
    for (const address of addresses) {
      const isOfType = (address.kind() === 'ipv4') === (type === TYPE_A);
      if (isOfType) records.push(record(type, Buffer.from(address.toByteArray())));
    }
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]),
      from.port,
      from.address,
    );
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  return {
    address: `${host}:${socket.address().port}`,
    asked,
    counts,
    set(name, ...answers) {
      names.set(name, answers);
      for (const type of [TYPE_A, TYPE_AAAA]) rounds.delete(`${type} ${name}`);
    },
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record for the question's name (a pointer to it) that nobody caches, because its time to live is 0. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}
