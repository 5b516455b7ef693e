import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { newDataDir } from '#test/harness/prepared-data.ts';
import { createLog } from '../log.ts';
import { findBinaries } from './embedded/binaries.ts';
import { CHILD_ENVIRONMENT, runAs, unprivilegedUser } from './embedded/run-as.ts';
import { settingFlags } from './embedded/settings.ts';
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts';

const run = promisify(execFile);
const silent = createLog('silent');

/** A data directory that disappears with the test; empty, or within `npm test` one in which PostgreSQL ran before. */
async function temporary({ isUsed = false } = {}): Promise<AsyncDisposable & { path: string }> {
  const path = isUsed ? await newDataDir() : await mkdtemp(join(tmpdir(), 'tocsin-embedded-'));
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows[0] && Object.values(rows[0])[0];
  } finally {
    await client.end();
  }
}

async function start(dataDir: string, log = silent) {
  const database = await startEmbedded({ dataDir, log });
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.stop() });
}

test('a second start continues with the first one’s data, durably and without a TCP port', async () => {
  await using dir = await temporary();
  {
    await using first = await start(dir.path);
    assert.equal(first.isNew, true);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS number');
    assert.equal(await ask(first.url, 'SHOW listen_addresses'), '');
    assert.equal(await ask(first.url, 'SHOW fsync'), 'on');
    assert.equal(await ask(first.url, 'SHOW synchronous_commit'), 'on');
    assert.equal(
      await ask(first.url, "SELECT datcollate || datlocale FROM pg_database WHERE datname = 'postgres'"),
      'CC.UTF-8',
    );
  }
  await using second = await start(dir.path);
  assert.equal(second.isNew, false);
  assert.equal(await ask(second.url, 'SELECT number FROM kept'), 7);
});

test('a second server on the same data directory is refused, and told the first one’s pid', async () => {
  await using dir = await temporary({ isUsed: true });
  await using first = await start(dir.path);
  await assert.rejects(startEmbedded({ dataDir: dir.path, log: silent }), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`process ${process.pid}.*already runs on the data directory ${dir.path}`),
    );
    return true;
  });
  assert.equal(await ask(first.url, 'SELECT 1'), 1);
});

/** Kills PostgreSQL, and waits until another runs. */
async function killOnce(database: EmbeddedDatabase): Promise<void> {
  const killed = database.pid()!;
  process.kill(killed, 'SIGKILL');
  const deadline = Date.now() + 30_000;
  while ((database.pid() ?? killed) === killed && Date.now() < deadline)
    await new Promise((next) => setImmediate(next));
  assert.notEqual(database.pid(), killed);
}

test('a killed PostgreSQL is restarted with increasing delays, and keeps committed data', async () => {
  await using dir = await temporary({ isUsed: true });
  const pauses: number[] = [];
  const log = createLog('error', false, (line) => {
    pauses.push((JSON.parse(line) as { again_in_ms: number }).again_in_ms);
  });
  await using database = await start(dir.path, log);
  await ask(database.url, 'CREATE TABLE kept AS SELECT 7 AS number');
  await killOnce(database);
  await killOnce(database);
  assert.equal(await ask(database.url, 'SELECT number FROM kept'), 7);
  assert.deepEqual(pauses.slice(0, 2), [100, 200]);
});

test('a PostgreSQL that outlived its server is replaced', async () => {
  await using dir = await temporary({ isUsed: true });
  {
    await using first = await start(dir.path);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS number');
  }
  const binaries = await findBinaries();
  const clusterDir = join(dir.path, 'postgres');
  const user = await unprivilegedUser(clusterDir);
  const socketDir = join(dir.path, 'elsewhere');
  await mkdir(socketDir, { mode: 0o777 });
  await chmod(socketDir, 0o777);
  const orphan = spawn(
    ...(() => {
      const flags = [
        '-D',
        clusterDir,
        '-c',
        'listen_addresses=',
        '-c',
        `unix_socket_directories=${socketDir}`,
      ];
      return [
        binaries.postgres,
        [...flags, ...settingFlags()],
        { ...user, cwd: '/', env: CHILD_ENVIRONMENT, stdio: 'ignore' },
      ] as const;
    })(),
  );
  const ended = once(orphan, 'exit');
  const url = `postgres://tocsin@${encodeURIComponent(socketDir)}/postgres`;
  const deadline = Date.now() + 10_000;
  while ((await ask(url, 'SELECT 1').catch(() => null)) !== 1 && Date.now() < deadline);
  await using second = await start(dir.path);
  await ended;
  assert.notEqual(second.pid(), orphan.pid);
  assert.equal(await ask(second.url, 'SELECT number FROM kept'), 7);
});

test('a stale pid file of a now unrelated process does not prevent the start', async () => {
  await using dir = await temporary({ isUsed: true });
  {
    await using _first = await start(dir.path);
  }
  const file = join(dir.path, 'postgres/postmaster.pid');
  await writeFile(file, `${process.ppid}\n${dir.path}/postgres\n1\n5432\n/nowhere\n\n\nready\n`);
  await using second = await start(dir.path);
  assert.equal(await ask(second.url, 'SELECT 1'), 1);
});

test('data of another PostgreSQL version is refused with the version and the remedy', async () => {
  await using dir = await temporary();
  const clusterDir = join(dir.path, 'postgres');
  await mkdir(clusterDir);
  await writeFile(join(clusterDir, 'PG_VERSION'), '16\n');
  await assert.rejects(
    startEmbedded({ dataDir: dir.path, log: silent }),
    /written by PostgreSQL 16; .* PostgreSQL 18/,
  );
  // and the directory is free again
  await assert.rejects(startEmbedded({ dataDir: dir.path, log: silent }), /PostgreSQL 16/);
});

test('an aborted first start does not block the next', async () => {
  await using dir = await temporary();
  await mkdir(join(dir.path, 'postgres.new/base'), { recursive: true });
  await using database = await start(dir.path);
  assert.equal(database.isNew, true);
});

test('only the user that runs PostgreSQL can read the data', async () => {
  await using dir = await temporary({ isUsed: true });
  await using database = await start(dir.path);
  assert.equal((await stat(join(dir.path, 'postgres'))).mode & 0o777, 0o700);
  const socketDir = decodeURIComponent(new URL(database.url).hostname);
  assert.equal((await stat(socketDir)).mode & 0o777, 0o700);
  const owner = (await stat(`/proc/${database.pid()}`).catch(() => null))?.uid;
  if (owner !== undefined) assert.notEqual(owner, 0);
  await database.stop();
  assert.equal(existsSync(socketDir), false);
});

test('as root with the data below a directory closed to others, it starts without opening the directory', {
  skip: process.getuid?.() !== 0 || process.platform !== 'linux' ? 'needs root on Linux' : false,
}, async () => {
  await using dir = await temporary();
  await chmod(dir.path, 0o700);
  const dataDir = join(dir.path, 'data');
  await using database = await start(dataDir);
  assert.equal(await ask(database.url, 'SELECT 1'), 1);
  assert.equal((await stat(dir.path)).mode & 0o777, 0o700);
  const status = await readFile(`/proc/${database.pid()}/status`, 'utf8');
  assert.match(status, /CapEff:\t0000000000000004/, 'dac_read_search and nothing else');
});

test('as root with the installation below a directory closed to others, initdb and postgres run all the same', {
  skip: process.getuid?.() !== 0 || process.platform !== 'linux' ? 'needs root on Linux' : false,
}, async () => {
  await using dir = await temporary();
  const { root, initdb, postgres } = await findBinaries();
  await cp(join(root, 'native'), join(dir.path, 'native'), { recursive: true, verbatimSymlinks: true });
  await chmod(dir.path, 0o700);
  const user = { uid: 65534, gid: 65534 };
  const copied = (program: string) => join(dir.path, 'native', relative(join(root, 'native'), program));
  const asNobody = await runAs(user, [copied(postgres)], copied(postgres));
  const cluster = join(dir.path, 'cluster');
  await mkdir(cluster);
  await chown(cluster, user.uid, user.gid);
  const { file, args, options } = asNobody.command(copied(initdb), ['-D', cluster, '--no-sync']);
  await run(file, args, { ...options, cwd: '/', env: CHILD_ENVIRONMENT });
  assert.equal((await stat(join(cluster, 'PG_VERSION'))).uid, user.uid);
});

test('as root below a directory that cannot be traversed, the error names it and the remedies', {
  skip: process.getuid?.() !== 0 || process.platform !== 'linux' ? 'needs root on Linux' : false,
}, async () => {
  await using dir = await temporary();
  await chmod(dir.path, 0o700);
  // A program that never starts stands for a system that does not grant the capability.
  await assert.rejects(
    runAs({ uid: 65534, gid: 65534 }, [dir.path], join(dir.path, 'missing')),
    (error: Error) => {
      assert.match(error.message, new RegExp(`may not enter ${dir.path}`));
      assert.match(error.message, /ordinary user.*move the installation.*DATABASE_URL/s);
      return true;
    },
  );
});
