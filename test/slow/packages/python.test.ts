// The Python client, run with this machine's Python against the real server.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';

const run = promisify(execFile);
const FOLDER = resolve(import.meta.dirname, '..', '..', '..', 'packages', 'python');
const PYTHON = process.env.PYTHON ?? 'python3';
const NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 11))';
const IN_FLIGHT = '{"type":"https://a.example/docs/errors/idempotency-in-flight"}';
const hasPython = spawnSync(PYTHON, ['-c', NEW_ENOUGH]).status === 0;

let rig: HttpRig;
let folder: string;
let service: string;
beforeAll(async () => {
  rig = await createHttpRig();
  service = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'likeness-python-'));
});
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasPython)('with Python 3.11 or newer', () => {
  /** Runs a program with the client; returns what it printed as JSON. */
  async function python(program: string, environment: Record<string, string> = {}): Promise<unknown> {
    const file = join(folder, 'program.py');
    writeFileSync(file, `import json, os\nfrom likeness import *\nimport likeness as package\n${program}`);
    const env = { PATH: process.env.PATH, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1', ...environment };
    const { stdout } = await run(PYTHON, ['-W', 'error', file], { env });
    return JSON.parse(stdout);
  }

  async function sandbox(): Promise<Record<string, string>> {
    const account = (await rig.accounts.find(rig.accountId))!;
    const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
    return { BASE_URL: service, API_KEY: key };
  }

  const client = 'api = Likeness(os.environ["BASE_URL"], os.environ["API_KEY"], max_retries=0)\n';

  it('creates, reads, lists and erases', async () => {
    const program = `${client}
made = api.create_challenge({"liveness_only": True, "customer_reference": "sandbox:pass"}, idempotency_key="once")
again = api.create_challenge({"liveness_only": True, "customer_reference": "sandbox:pass"}, idempotency_key="once")
result = api.get_challenge(made["challenge_id"])
page = api.list_challenges(limit=1, status="completed")
featid = api.create_featid(b"\\x89PNG")["featid"]
devices = api.list_devices({"featid": featid})["data"]
revoked = api.revoke_featid({"featid": featid})
nothing = api.erase_challenge(made["challenge_id"])
print(json.dumps([made == again, result["overall_result"], len(page["data"]), devices, revoked, nothing]))`;
    expect(await python(program, await sandbox())).toEqual([true, 'pass', 1, [], null, null]);
  });

  it('raises an error for a refusal, with every fault, and for a service that does not answer', async () => {
    const program = `${client}
said = []
for call in (
    lambda: api.create_challenge({"liveness_only": "yes", "expires_in_seconds": 0}),
    lambda: api.get_challenge("ch_/../../x"),
    lambda: Likeness(os.environ["BASE_URL"], "lk_live_wrong", max_retries=0).list_challenges(),
    lambda: api.revoke_featid({"featid": "lfid1_none"}),
):
    try:
        call()
    except LikenessProblem as problem:
        said.append([problem.status, problem.kind, sorted(fault["pointer"] for fault in problem.faults)])
try:
    Likeness("http://127.0.0.1:1", "key", max_retries=1).list_challenges()
except LikenessUnreachable as failure:
    said.append(type(failure.__cause__).__name__)
print(json.dumps(said))`;
    expect(await python(program, await sandbox())).toEqual([
      [422, 'validation-failed', ['/expires_in_seconds', '/liveness_only']],
      [404, 'not-found', []],
      [401, 'unauthorized', []],
      [422, 'validation-failed', ['/featid']],
      expect.stringMatching(/Error$/),
    ]);
  });

  it('waits for its own first attempt, and treats 404 as erased after an attempt without an answer', async () => {
    const methods: string[] = [];
    const server = createServer((request, response) => {
      const attempt = methods.push(request.method!);
      request.resume().on('end', () => {
        if (attempt === 1 || attempt === 4) request.socket.destroy();
        else if (attempt === 2) response.writeHead(409, { 'retry-after': '0' }).end(IN_FLIGHT);
        else if (attempt === 3)
          response.writeHead(201, { 'content-type': 'application/json' }).end('{"challenge_id":"ch_1"}');
        else response.writeHead(404).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const program = `
api = Likeness("http://127.0.0.1:${port}", "key")
print(json.dumps([api.create_challenge({"liveness_only": True}), api.erase_challenge("ch_1")]))`;
    expect(await python(program)).toEqual([{ challenge_id: 'ch_1' }, null]);
    expect(methods).toEqual(['POST', 'POST', 'POST', 'DELETE', 'DELETE']);
    server.close();
  });

  it("reports responses that are not the service's and requests that cannot be sent, without the key", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      const [status, body] = new URL(request.url!, 'http://x').searchParams.get('cursor')!.split(' ', 2);
      const again = asked.filter((url) => url === request.url).length > 1;
      if (['502', '504', '408'].includes(status!) && again) response.end('{"data":[],"next_cursor":null}');
      else if (status === '301') response.writeHead(301, { location: 'https://evil.example/' }).end();
      else {
        const headers = { 'retry-after': new Date(0).toUTCString(), 'x-request-id': 'req_proxy' };
        response.writeHead(Number(status), headers).end(body);
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const program = `
import pickle
api = Likeness("http://127.0.0.1:${port}/\\n", "lk_test_x\\n")
said = []
for answer in ("200 <html>", "200 ", "301 ", "502 ", "504 ", "408 ", "500 [1]", '403 {"errors":["x",{"pointer":1}],"type":7,"detail":{}}'):
    try:
        said.append(api.list_challenges(cursor=answer)["data"])
    except LikenessUnreachable as failure:
        said.append(str(failure).split(": ", 1)[1])
    except LikenessProblem as problem:
        same = pickle.loads(pickle.dumps(problem))
        said.append([str(same), same.status, same.kind, same.faults, same.request_id, same.retry_after_seconds])
for make in (lambda: Likeness("http://a.example", "lk_test_\\nsecret"), lambda: Likeness("http://a.example", ""), lambda: Likeness("a.example", "key"),
             lambda: api.create_challenge({"liveness_only": True}, idempotency_key="")):
    try:
        make()
    except ValueError as error:
        said.append(["secret" in repr(error), str(error).split(" ", 1)[0]])
print(json.dumps(said))`;
    const refused = (status: number) => [`HTTP ${status}`, status, 'unknown', [], 'req_proxy', 0];
    expect(await python(program)).toEqual([
      'HTTP 200, the body is not JSON; something in between may be answering for the service',
      'HTTP 200, the body is not JSON; something in between may be answering for the service',
      'HTTP 301, a redirect; set base_url to the exact address of the service',
      [],
      [],
      [],
      refused(500),
      refused(403),
      [false, 'api_key'],
      [false, 'api_key'],
      [false, 'base_url'],
      [false, 'idempotency_key'],
    ]);
    expect(asked).toHaveLength(3 + 2 * 3 + 2);
    server.close();
  });

  it('walks through every page of a list', async () => {
    const program = `${client}
made = {api.create_challenge({"liveness_only": True, "customer_reference": "sandbox:spoof"})["challenge_id"] for _ in range(3)}
seen = [one["challenge_id"] for one in api.each_challenge(customer_reference="sandbox:spoof", limit=2)]
print(json.dumps([len(seen), set(seen) == made]))`;
    expect(await python(program, await sandbox())).toEqual([3, true]);
  });

  it('verifies signed webhooks, and refuses altered, old or unsigned ones', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = JSON.stringify({ challenge_id: 'ch_1', overall_result: 'pass', name: 'Zoë' });
    const now = new Date();
    const old = new Date(now.getTime() - 6 * 60_000);
    const headersAt = (at: Date, key = secret) => ({
      'Webhook-Id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1a,x v1,AAAA ${new Webhook(key).sign('msg_1', at, body)}`,
    });
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const cases = [
      [body, headersAt(now)],
      [body.replace('pass', 'fail'), headersAt(now)],
      [body, headersAt(old)],
      [body, headersAt(now, other)],
      [body, { ...headersAt(now), 'webhook-signature': 'v1,é' }],
      [body, { ...headersAt(now), 'webhook-timestamp': '1e9' }],
      [body, {}],
    ];
    const program = `
answers = []
for body, headers in json.loads(os.environ["CASES"]):
    try:
        delivery_id, result = verify_webhook(body.encode(), headers, os.environ["SECRET"])
        assert verify_webhook(body, headers, os.environ["SECRET"]).delivery_id == delivery_id
        answers.append([delivery_id, result["overall_result"]])
    except WebhookVerificationError as error:
        answers.append(str(error))
print(json.dumps(answers))`;
    const answers = await python(program, { CASES: JSON.stringify(cases), SECRET: secret });
    const wrong = 'no matching signature';
    expect(answers).toEqual([
      ['msg_1', 'pass'],
      wrong,
      expect.stringContaining('too old'),
      wrong,
      wrong,
      'the timestamp is not a number',
      expect.stringContaining('webhook-id'),
    ]);
  });
});
