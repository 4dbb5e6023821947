// A PostgreSQL for the other containers of a test, run with the programs of the image: creates its cluster once, then
// runs it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [root] = process.argv.slice(2);
const { installBinaries } = await import(join(root, 'dist/storage/embedded/binaries.js'));
const home = '/var/lib/likeness';
const { initdb, postgres } = await installBinaries(home);
const data = `${home}/data`;
const run = (program, ...args) => spawnSync(program, args, { stdio: 'inherit' });
if (!existsSync(`${data}/PG_VERSION`)) {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { mode: 0o700 });
  run(initdb, '-D', data, '--username=likeness', '--auth=trust', '--encoding=UTF8', '--locale=C');
  appendFileSync(`${data}/pg_hba.conf`, 'host all all all trust\n');
}
// No other server of this cluster runs in this container.
rmSync(`${data}/postmaster.pid`, { force: true });
run(postgres, '-D', data, '-c', 'listen_addresses=*', '-c', 'unix_socket_directories=');
