// The commands of README and guides, as they are printed, on a service that was started as they say. Only addresses,
// files and names that a reader would fill in are filled in.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort, listensAt } from '../../support/free-port.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { commandsOf, startCommands } from '../../support/shell-blocks.ts';
import { facePicture } from '../../web/support/browser.ts';

const run = promisify(execFile);
const projectRoot = resolve(import.meta.dirname, '../../..');

/** npm, set-up and the service: on a loaded machine each takes its time. */
const START_MS = 240_000;
vi.setConfig({ testTimeout: 2 * START_MS, hookTimeout: 2 * START_MS });

/** The command as it is printed, at a free port in place of 8080. */
async function start(command: string, dataDir: string): Promise<RunningService> {
  const port = String(await freePort());
  const line = command.replace('8080', port).replace('npm start', 'exec npm start');
  const environment = { PORT: port };
  return startService({ dataDir, timeoutMs: START_MS, environment, command: ['sh', '-c', line] });
}

/** The start with a login, on which the commands of this file run. */
const WITH_LOGIN = 'OIDC=on npm start';

const readyz = ({ url }: RunningService) => fetch(`${url}/readyz`);

it.each(
  startCommands().filter((command) => command !== WITH_LOGIN),
)('`%s` starts it, and it stops', async (command) => {
  const dataDir = newDataDir();
  try {
    const service = await start(command, dataDir);
    const ready = await readyz(service).finally(() => service.stop());
    expect(ready.status).toBe(200);
    expect(service.process.exitCode).toBe(0);
    await expect(readyz(service)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  } finally {
    removeDataDir(dataDir);
  }
});

describe('on a service with a login', () => {
  const dataDir = newDataDir();
  const folder = mkdtempSync(join(tmpdir(), 'likeness-commands-'));
  let service: RunningService;
  let featid = '';

  beforeAll(async () => {
    for (const name of ['bin', 'examples']) symlinkSync(join(projectRoot, name), join(folder, name));
    expect(startCommands()).toContain(WITH_LOGIN);
    service = await start(WITH_LOGIN, dataDir);
    expect((await readyz(service)).status).toBe(200);
  });
  afterAll(async () => {
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: dataDir,
    BASE_URL: service.url,
    API_KEY: service.credentials.api_key,
    SANDBOX_KEY: service.credentials.sandbox_api_key,
  });

  /** Runs commands with what a reader fills in; fails where one does, or where the service refuses. */
  async function shell(commands: string, filled: Readonly<Record<string, string>> = {}): Promise<string> {
    let script = commands.replace(/curl (-sS )?/g, 'curl -sS --fail-with-body ');
    for (const [printed, meant] of Object.entries(filled)) {
      expect(script).toContain(printed);
      script = script.replaceAll(printed, meant);
    }
    const { stdout } = await run('sh', ['-e', '-c', script], { cwd: folder, env: environment() });
    return stdout;
  }

  it("README's call creates a challenge", async () => {
    const [create, ...others] = commandsOf('README.md');
    expect(others).toEqual([]);
    const answer = JSON.parse(await shell(create!, { 'http://127.0.0.1:8080': service.url }));
    expect(answer.challenge_url).toContain(`${service.url}/c/`);
  });

  it('the quickstart can be walked with the sandbox, from the keys to a comparison', async () => {
    const commands = commandsOf('docs/guides/quickstart.md');
    const port = await freePort();
    const receiverAt = commands.findIndex((command) => command.startsWith('node examples/receiver'));
    const [receiverCommand] = commands.splice(receiverAt, 1);
    const receiver = spawn('sh', ['-c', `exec ${receiverCommand}`], {
      cwd: folder,
      env: { ...environment(), PORT: String(port), LIKENESS_SANDBOX: '1' },
    });
    let printed = '';
    receiver.stdout.on('data', (text) => {
      printed += text;
    });
    try {
      await expect.poll(() => listensAt(port)).toBe(true);
      const output = await shell(commands.join('\n'), {
        'http://127.0.0.1:8080': service.url,
        'data/dev-credentials.json': join(dataDir, 'dev-credentials.json'),
        'http://127.0.0.1:4001': `http://127.0.0.1:${port}`,
        // "To continue with the sandbox, use $SANDBOX_KEY and sandbox.json below."
        $API_KEY: '$SANDBOX_KEY',
        './challenge.json': './sandbox.json',
      });
      expect(output.match(/"challenge_url":/g)).toHaveLength(3);
      await expect.poll(() => printed).toContain('ch_test_event (test-event): completed, not judged');
    } finally {
      receiver.kill();
    }
    const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ sandbox: true, overall_result: 'pass' });
  });

  it('pictures are enrolled, one and many', async () => {
    mkdirSync(join(folder, 'portraits'));
    const portrait = await facePicture();
    for (const file of ['portrait.jpg', 'portraits/ada.jpg']) writeFileSync(join(folder, file), portrait);
    writeFileSync(join(folder, 'people.csv'), 'file,reference\nada.jpg,user-4711\n');
    const [one, many, ...others] = commandsOf('docs/guides/pictures.md');
    expect(others).toEqual([]);
    featid = JSON.parse(await shell(one!)).featid;
    await shell(many!, { NAME: 'development' });
    expect(readFileSync(join(folder, 'featids.csv'), 'utf8')).toMatch(/^ada\.jpg,user-4711,lfid1_/m);
  });

  it('a client of the login is registered, a person linked, its texts changed', async () => {
    const [add, link, addToSandbox, texts, ...others] = commandsOf('docs/guides/login.md');
    expect(others).toEqual([]);
    const printed = await shell(add!);
    const client = /^client id +(oc_\w+)$/m.exec(printed)![1]!;
    expect(printed).toMatch(/^client secret +los_/m);
    expect(printed).toContain('Save it now: it is not shown again.');
    expect(await shell(link!, { 'oc_…': client, 'lfid1_…': featid })).toContain('linked');
    expect(await shell(addToSandbox!)).toMatch(/^client id +oc_/m);
    await shell(texts!, { 'oc_…': client });
  });

  it.each([
    'docs/guides/login-keycloak.md',
    'docs/guides/login-auth0.md',
    'docs/guides/login-okta.md',
    'docs/guides/login-entra.md',
  ])('the client of %s is registered', async (document) => {
    for (const command of commandsOf(document)) expect(await shell(command)).toMatch(/oc_\w+/);
  });

  it('an assurance report is written and verified', async () => {
    for (const command of commandsOf('docs/operations/assurance.md')) await shell(command);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('Not certified by any laboratory.');
  });

  it("a person's challenges are found by reference", async () => {
    for (const command of commandsOf('docs/privacy/requests.md'))
      expect(JSON.parse(await shell(command))).toHaveProperty('data');
  });
});
