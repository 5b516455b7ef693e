// Real database servers on loopback with a password, a certificate and data of their own: the targets of database checks.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '#src/platform/db/embedded/binaries.ts';
import { startPostmaster } from '#src/platform/db/embedded/postmaster.ts';
import { CHILD_ENVIRONMENT, runAs, type User, unprivilegedUser } from '#src/platform/db/embedded/run-as.ts';
import type { Issued } from './certificates.ts';
import { silent } from './cluster.ts';
import { closedPort } from './listeners.ts';
import { findServer } from './provide-servers.ts';

const run = promisify(execFile);

/** Signs in as `user` (redis: the default one) with `password`; the database is called `shop` (redis: 16 of them). */
export type DatabaseServer = { port: number; user: string; password: string; stop(): Promise<void> };

const PASSWORD = 'Gänse-7 secret';
const PATIENCE_MS = 60_000;

/** The bundled PostgreSQL with SCRAM passwords and TLS. */
export async function startPostgres(certificate: Issued): Promise<DatabaseServer> {
  const binaries = await findBinaries();
  const place = await makePlace('postgres', certificate);
  const clusterDir = join(place.dir, 'data');
  const user = await unprivilegedUser(clusterDir);
  const passwordFile = join(place.dir, 'password');
  await writeFile(passwordFile, PASSWORD);
  await place.giveTo(user);
  const asUser = await runAs(user, [place.dir, binaries.root], binaries.postgres);
  const initdb = asUser.command(binaries.initdb, [
    `--pgdata=${clusterDir}`,
    '--username=tocsin',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  await run(initdb.file, initdb.args, { ...initdb.options, cwd: '/', env: CHILD_ENVIRONMENT });
  const port = await closedPort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: place.cert,
    ssl_key_file: place.key,
    max_connections: '20',
  };
  const { postgres, pgCtl } = binaries;
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postmaster = await startPostmaster({
    runAs: asUser,
    postgres,
    pgCtl,
    clusterDir,
    flags,
    log: silent,
  });
  return {
    port,
    user: 'tocsin',
    password: PASSWORD,
    async stop() {
      await postmaster.stop();
      await place.remove();
    },
  };
}

/** A MariaDB server; null if none is installed. */
export async function startMariadb(certificate: Issued): Promise<DatabaseServer | null> {
  const server = findServer('mariadbd');
  const install = findServer('mariadb-install-db');
  if (server === null || install === null) return null;
  const place = await makePlace('mariadb', certificate);
  const data = join(place.dir, 'data');
  await mkdir(data, { mode: 0o700 });
  const user = await unprivilegedUser(data);
  await place.giveTo(user);
  const sql = join(place.dir, 'init.sql');
  await writeFile(
    sql,
    `SET NAMES utf8mb4;
CREATE DATABASE shop;
CREATE TABLE shop.goods (n INT);
INSERT INTO shop.goods VALUES (1), (2), (3);
CREATE SEQUENCE shop.numbers;
CREATE FUNCTION shop.writes() RETURNS INT MODIFIES SQL DATA RETURN (SELECT NEXTVAL(shop.numbers));
CREATE SQL SECURITY INVOKER VIEW shop.written AS SELECT shop.writes();
CREATE SQL SECURITY INVOKER VIEW shop.asked AS SELECT SLEEP(0);
CREATE USER keeper@'%' IDENTIFIED BY '${PASSWORD}';
GRANT ALL ON *.* TO keeper@'%';
`,
  );
  const as = user === null ? {} : { uid: user.uid, gid: user.gid };
  await run(
    install,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
    ],
    { ...as, cwd: place.dir, timeout: PATIENCE_MS },
  );
  const port = await closedPort();
  const child = spawn(
    server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(place.dir, 'socket')}`,
      `--pid-file=${join(place.dir, 'pid')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--skip-log-bin',
      '--innodb-buffer-pool-size=8M',
      '--innodb-flush-log-at-trx-commit=0',
      `--ssl-cert=${place.cert}`,
      `--ssl-key=${place.key}`,
      `--init-file=${sql}`,
    ],
    { ...as, cwd: place.dir, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await announced(child, child.stderr, 'ready for connections');
  return { port, user: 'keeper', password: PASSWORD, stop: () => ended(child, place.remove) };
}

/** A Redis server, on `tlsPort` with TLS; null if none is installed. */
export async function startRedis(
  certificate: Issued,
): Promise<(DatabaseServer & { tlsPort: number }) | null> {
  const server = findServer('redis-server');
  if (server === null) return null;
  const place = await makePlace('redis', certificate);
  const [port, tlsPort] = [await closedPort(), await closedPort()];
  const settings: readonly (readonly string[])[] = [
    ['--port', String(port)],
    ['--tls-port', String(tlsPort)],
    ['--tls-cert-file', place.cert],
    ['--tls-key-file', place.key],
    ['--tls-ca-cert-file', place.cert],
    ['--tls-auth-clients', 'no'],
    ['--bind', '127.0.0.1'],
    ['--save', ''],
    ['--dir', place.dir],
    ['--requirepass', PASSWORD],
  ];
  const child = spawn(server, settings.flat(), { cwd: place.dir, stdio: ['ignore', 'pipe', 'ignore'] });
  await announced(child, child.stdout, 'Ready to accept connections');
  return { port, tlsPort, user: 'default', password: PASSWORD, stop: () => ended(child, place.remove) };
}

/** A folder with the certificate in it. */
async function makePlace(name: string, certificate: Issued) {
  const dir = await mkdtemp(join(tmpdir(), `tocsin-test-${name}-`));
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  await writeFile(cert, certificate.cert);
  await writeFile(key, certificate.key, { mode: 0o600 });
  return {
    dir,
    cert,
    key,
    remove: () => rm(dir, { recursive: true, force: true }),
    async giveTo(user: User | null) {
      if (user === null) return;
      for (const path of [dir, cert, key]) await chown(path, user.uid, user.gid);
      await chown(join(dir, 'data'), user.uid, user.gid).catch(() => undefined);
    },
  };
}

function announced(child: ChildProcess, output: NodeJS.ReadableStream, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`It was not ready within ${PATIENCE_MS} ms:\n${said}`));
    }, PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`It ended:\n${said}`));
    });
    output.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
      if (!said.includes(line)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

async function ended(child: ChildProcess, remove: () => Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exit;
  }
  await remove();
}
