// An S3 server that accepts a signature only after computing it itself: AWS Signature Version 4 from its public
// description (docs.aws.amazon.com, "Create a signed AWS API request"), with node:crypto alone, in front of s3rver.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a signature covers. `query` without its `?`. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;
const MAX_SKEW_MS = 15 * 60_000;

/** Why the request is not what the holder of this secret signed just now; null if it is. */
export function signatureFault(
  request: SignedRequest,
  credentials: { id: string; secret: string },
  now = new Date(),
): string | null {
  const given = AUTHORIZATION.exec(request.headers.authorization ?? '');
  if (!given) return 'AccessDenied';
  const [, id, day, region, service, names, signature] = given as unknown as string[];
  if (id !== credentials.id) return 'InvalidAccessKeyId';
  const time = request.headers['x-amz-date'] ?? '';
  if (!time.startsWith(day!) || Math.abs(parseTime(time) - now.getTime()) > MAX_SKEW_MS) {
    return 'RequestTimeTooSkewed';
  }
  const bodyHash = request.headers['x-amz-content-sha256'] ?? sha256(request.body);
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(request.body))
    return 'XAmzContentSHA256Mismatch';
  const signed = names!.split(';');
  if (!signed.includes('host')) return 'SignatureDoesNotMatch';
  const canonical = [
    request.method,
    request.path,
    request.query.split('&').filter(Boolean).map(withValue).sort().join('&'),
    ...signed.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [day!, region!, service!, 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${credentials.secret}`,
  );
  return timingSafeEqual(hmac(key, text), Buffer.from(signature!, 'hex')) ? null : 'SignatureDoesNotMatch';
}

const withValue = (parameter: string) => (parameter.includes('=') ? parameter : `${parameter}=`);

const parseTime = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

export interface SignedS3 {
  readonly endpoint: string;
  /** Faults returned so far. */
  readonly refused: string[];
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; forwards correctly signed requests to the server at `backendPort`. */
export async function startSignedS3(
  backendPort: number,
  credentials: { id: string; secret: string },
): Promise<SignedS3> {
  const refused: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await readAll(request).catch(() => null);
    // The sender aborted the request, so nobody waits for an answer.
    if (!body) return;
    const [path, query = ''] = request.url!.split('?', 2) as [string, string?];
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const fault = signatureFault({ method: request.method!, path, query, headers, body }, credentials);
    if (fault) {
      refused.push(fault);
      response.writeHead(403, { 'content-type': 'application/xml' });
      return void response.end(`<Error><Code>${fault}</Code><Message>refused</Message></Error>`);
    }
    const { method, url } = request;
    const onward = forward({ port: backendPort, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
