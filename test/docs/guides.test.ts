// The code in the guides, run unchanged: the quickstart's commands, webhook verification in Node and in Python.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeviceResult } from '../../src/contract/device.ts';
import type { FeatidRefusal } from '../../src/contract/problem.ts';
import { SANDBOX_OUTCOMES } from '../../src/contract/sandbox.ts';
import { REASONS } from '../../src/evaluation/reasons.ts';
import { UNDECODABLE_REASONS } from '../../src/evaluation/video/clip.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';
import { answer, type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.ts';
import { commandsOf } from '../support/shell-blocks.ts';

const run = promisify(execFile);
const projectRoot = resolve(import.meta.dirname, '..', '..');
const guidesDir = join(projectRoot, 'docs', 'guides');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The fenced blocks of a guide in one language. */
function blocks(guide: string, language: string): string[] {
  const text = readFileSync(join(guidesDir, `${guide}.md`), 'utf8');
  const found = [...text.matchAll(/^```(\S+)\n(.*?)^```$/gms)];
  return found.filter((block) => block[1] === language).map((block) => block[2]!);
}

describe('the guides', () => {
  let rig: HttpRig;
  let receiver: Receiver;
  let baseUrl = '';
  const folder = mkdtempSync(join(tmpdir(), 'likeness-guides-'));

  beforeAll(async () => {
    [rig, receiver] = await Promise.all([createHttpRig(), startReceiver()]);
    receiver.script([], answer(204));
    baseUrl = await rig.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await Promise.all([rig?.close(), receiver?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function sandboxKey(): Promise<string> {
    const account = (await rig.accounts.find(rig.accountId))!;
    return (await rig.accounts.createKey(account, { sandbox: true }, 'test')).key;
  }

  it('a sandbox challenge ends by its reference, as the guide says', async () => {
    const [command, ...others] = commandsOf('docs/guides/sandbox.md');
    expect(others).toEqual([]);
    const env = { PATH: process.env.PATH, BASE_URL: baseUrl, SANDBOX_KEY: await sandboxKey() };
    await run('sh', ['-e', '-c', command!.replaceAll('curl -sS', 'curl -sS --fail-with-body')], {
      cwd: folder,
      env,
    });
    const result = JSON.parse(readFileSync(join(folder, 'sandbox-result.json'), 'utf8'));
    expect(result).toMatchObject({ sandbox: true, status: 'completed', overall_result: 'pass' });
  });

  it('the sandbox’s page, guide and results use the same words', async () => {
    const guide = readFileSync(join(guidesDir, 'sandbox.md'), 'utf8');
    const { outcomes } = readTexts('en').sandbox;
    const api = { authorization: `Basic ${await sandboxKey()}`, 'content-type': 'application/json' };
    const ask = async (path: string, body?: object) => {
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(baseUrl + path, { headers: api, ...sent })).json();
    };
    const end = async (outcome: string, body: object) => {
      const reference = { customer_reference: `sandbox:${outcome}` };
      const { challenge_id } = await ask('/v1/create-challenge', { ...body, ...reference });
      return ask(`/v1/challenges/${challenge_id}`);
    };
    const { liveness_result } = await end('pass', { liveness_only: true });
    const compare = { liveness_only: false, compare_to_featids: [liveness_result.liveness_featid] };
    const rows = guide.matchAll(/^\| ([^|]+) \(`(\w+)`\).*\| `(\w+)` \|.*\| (\S+) \|$/gm);
    const told = new Map(
      [...rows].map(([, words, outcome, result, reason]) => [outcome!, { words, result, reason }]),
    );
    expect([...told.keys()]).toEqual(SANDBOX_OUTCOMES);
    for (const outcome of SANDBOX_OUTCOMES) {
      const { overall_result, diagnostics } = await end(outcome, compare);
      const [reason] = diagnostics.reasons;
      expect(told.get(outcome)).toEqual({
        words: outcomes[outcome],
        result: overall_result,
        reason: reason ? `\`${reason}\`` : '–',
      });
      expect(guide).toMatch(RegExp(`^\\| \`sandbox:${outcome}\` \\| “${outcomes[outcome]}”`, 'm'));
      if (reason) expect(guide).toContain(`[\`${reason}\`](reasons.md`);
    }
  });

  it('the page of reasons lists every code that a result can contain, each with its meaning', () => {
    const page = readFileSync(join(guidesDir, 'reasons.md'), 'utf8');
    const told = new Set([...page.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, code]) => code!));
    // A decoder timeout is no reason in a result, because the judgement is tried again.
    const unreadable = UNDECODABLE_REASONS.filter((code) => code !== 'decode_timeout');
    const featids: (FeatidRefusal | 'featid_paused')[] = [
      'featid_paused',
      'featid_invalid',
      'featid_revoked',
      'featid_unknown',
      'featid_pack_retired',
    ];
    const others = [...featids, 'device_not_bound', 'test_event'];
    expect([...told].sort()).toEqual(
      [...new Set([...Object.keys(REASONS), ...unreadable, ...others])].sort(),
    );
    for (const [code, { meaning }] of Object.entries(REASONS))
      expect(page).toContain(`| \`${code}\` | ${meaning} |`);
  });

  it('the quickstart runs as written', async () => {
    const commands = blocks('quickstart', 'sh');
    expect(commands).toHaveLength(6);
    const featid = await rig.makeFeatid();
    const env = {
      PATH: process.env.PATH,
      BASE_URL: baseUrl,
      API_KEY: rig.key,
      SANDBOX_KEY: await sandboxKey(),
      RECEIVER_URL: receiver.url,
      FEATID: featid,
    };
    const script = commands.join('\n').replaceAll('curl -sS', 'curl -sS --fail-with-body');
    const { stdout } = await run('sh', ['-e', '-c', script], { cwd: folder, env });
    const created = JSON.parse(readFileSync(join(folder, 'challenge.json'), 'utf8'));
    const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ challenge_id: created.challenge_id, customer_reference: 'ada' });
    expect(stdout.match(/"challenge_url":/g)).toHaveLength(3);
    expect(receiver.requests).toHaveLength(1);
    const newest = (await rig.call('GET', '/v1/challenges?limit=1')).json().data[0];
    expect(newest.liveness_only).toBe(false);
    // The answers shown have the fields of the real ones.
    const [asCreated, asRead, asSent] = blocks('quickstart', 'json').map((block) => JSON.parse(block));
    expect(Object.keys(created)).toEqual(Object.keys(asCreated));
    expect(Object.keys(result)).toEqual(expect.arrayContaining(Object.keys(asRead)));
    const sent = JSON.parse(/\{[^{}]*"attempt":\s*\{[^{}]*\}\s*\}/.exec(stdout)![0]);
    expect([Object.keys(sent), Object.keys(sent.attempt)]).toEqual([
      Object.keys(asSent),
      Object.keys(asSent.attempt),
    ]);
  });

  it("the enrolment guide's calls are answered as it says", async () => {
    const [enrol, compare, unlock, erase, ...others] = commandsOf('docs/guides/enrolment.md');
    expect(others).toEqual([]);
    const featid = await rig.makeFeatid();
    const env = { PATH: process.env.PATH, BASE_URL: baseUrl, API_KEY: rig.key, FEATID: featid };
    const shell = async (script: string) => {
      const failing = script.replaceAll('curl -sS', 'curl -sS --fail-with-body');
      return (await run('sh', ['-e', '-c', failing], { cwd: folder, env })).stdout;
    };
    await shell(enrol!);
    expect(JSON.parse(await shell(compare!))).toHaveProperty('challenge_url');
    expect(await shell(unlock!)).toBe('');
    expect(await shell(erase!)).toBe('');
    const { challenge_id: erased } = JSON.parse(readFileSync(join(folder, 'enrolment.json'), 'utf8'));
    expect((await rig.call('GET', `/v1/challenges/${erased}`)).statusCode).toBe(404);
    const refused = await shell(compare!).catch((error: { stdout: string }) => error.stdout);
    const [, shown] = blocks('enrolment', 'json').map((block) => JSON.parse(block));
    const answered = JSON.parse(refused);
    expect(answered).toEqual({ ...shown, type: answered.type, instance: answered.instance });
  });

  it("the devices guide's calls are answered as it says", async () => {
    const featid = await rig.makeFeatid();
    await rig.addDevice(featid);
    const env = { PATH: process.env.PATH, BASE_URL: baseUrl, API_KEY: rig.key, FEATID: featid };
    const script = commandsOf('docs/guides/devices.md')
      .join('\n')
      .replaceAll('curl -sS', 'curl -sS --fail-with-body');
    const { stdout } = await run('sh', ['-e', '-c', script], { cwd: folder, env });
    expect(stdout.match(/"challenge_url":/g)).toHaveLength(2);
    const asked = (await rig.call('GET', '/v1/challenges?limit=3')).json().data;
    expect(asked.map((each: { liveness_only: boolean }) => each.liveness_only)).toEqual([false, false, true]);
    const [listed] = JSON.parse(readFileSync(join(folder, 'devices.json'), 'utf8')).data;
    expect(listed.device_id).toMatch(/^dev_/);
    const left = await rig.call('POST', '/v1/featids/devices', { featid });
    expect(left.json()).toEqual({ data: [] });
    const required = { liveness_only: false, compare_to_featids: [featid], device_binding: 'require' };
    expect((await rig.call('POST', '/v1/create-challenge', required)).json()).toMatchObject({
      errors: [{ pointer: '/device_binding', code: 'not_allowed_value' }],
    });
    // Every status is explained, and no other.
    const page = readFileSync(join(guidesDir, 'devices.md'), 'utf8');
    const told = page.slice(page.indexOf('| `device_result.status` |')).split('\n\n', 1)[0]!;
    expect([...told.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, status]) => status)).toEqual(
      DeviceResult.properties.status.enum,
    );
  });

  describe('webhooks', () => {
    let sent: ReceivedRequest;
    beforeAll(async () => {
      const endpoint = { type: 'http', properties: { endpoint_url: receiver.url } };
      expect((await rig.call('POST', '/v1/webhooks/test', endpoint)).json()).toMatchObject({
        delivered: true,
      });
      sent = receiver.requests.at(-1)!;
    });
    /** Input of the example: a genuine delivery, and the same with one byte changed. */
    const inputs = () => {
      const { body, headers } = sent;
      const genuine = { body, headers, secret: rig.webhookSecret };
      return { genuine, forged: { ...genuine, body: body.replace('completed', 'cancelled') } };
    };

    it('verification in Node.js', async () => {
      const [code] = blocks('webhooks', 'js');
      // Inside the project, where `likeness` resolves to this package.
      mkdirSync(join(projectRoot, 'build'), { recursive: true });
      const inside = mkdtempSync(join(projectRoot, 'build', 'guides-'));
      try {
        writeFileSync(join(inside, 'receive.mjs'), code!);
        const { receive } = await import(join(inside, 'receive.mjs'));
        const { genuine, forged } = inputs();
        expect(receive(genuine.body, genuine.headers, genuine.secret)).toEqual({
          deliveryId: sent.headers['webhook-id'],
          passed: false,
        });
        expect(() => receive(forged.body, forged.headers, forged.secret)).toThrow();
      } finally {
        rmSync(inside, { recursive: true, force: true });
      }
    });

    it.skipIf(!hasPython)(
      `verification in Python${hasPython ? '' : ' (skipped: no python3 on this machine)'}`,
      async () => {
        const [code] = blocks('webhooks', 'python');
        const driver = `${code}
import sys
given = json.load(sys.stdin)
print(json.dumps(verify_webhook(given["body"].encode(), given["headers"], given["secret"])))
`;
        writeFileSync(join(folder, 'verify.py'), driver);
        const python = (input: unknown) =>
          spawnSync('python3', [join(folder, 'verify.py')], {
            input: JSON.stringify(input),
            encoding: 'utf8',
          });
        const { genuine, forged } = inputs();
        expect(JSON.parse(python(genuine).stdout)).toEqual(JSON.parse(sent.body));
        expect(python(forged).stderr).toContain('wrong signature');
        const old = { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': '1700000000' } };
        expect(python(old).stderr).toContain('too old');
      },
    );
  });
});
