import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freshDatabase } from '#test/harness/database.ts';
import { isAlive } from '#test/harness/is-alive.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { newDataDir } from '#test/harness/prepared-data.ts';
import { programPath } from '#test/harness/program.ts';
import { until } from '#test/harness/until.ts';

type Server = { child: ChildProcess; base: string; ended: Promise<unknown>; text: () => string };

/** Starts the real program in a process of its own and waits for its banner. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<Server> {
  const port = await closedPort();
  const child = spawn(process.execPath, [programPath(), 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'debug',
      CANARIES: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let text = '';
  const ready = new Promise<void>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      text += chunk;
      if (text.includes('Ctrl-C stops everything')) resolve();
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    void ended.then(() => reject(new Error(`ended before it served:\n${text}`)));
  });
  await ready;
  return { child, base: `http://127.0.0.1:${port}`, ended, text: () => text };
}

async function temporary(options?: { fresh: boolean }): Promise<AsyncDisposable & { path: string }> {
  const path = await newDataDir(options);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function pidsIn(text: string): number[] {
  return [...text.matchAll(/"started_pid":(\d+)/g)].map(([, pid]) => Number(pid));
}

/** Of one part of it, in their order. */
function pidsOf(text: string, part: string): number[] {
  return [...text.matchAll(new RegExp(`"part":"${part}","started_pid":(\\d+)`, 'g'))].map(([, pid]) =>
    Number(pid),
  );
}

test('it serves, stops cleanly on SIGTERM, and continues with its data; no process remains', async () => {
  await using dir = await temporary({ fresh: true });
  for (const _round of [1, 2]) {
    const server = await start(dir.path);
    try {
      assert.equal((await fetch(`${server.base}/healthz`)).status, 200);
      assert.match(server.text(), /ready in \d+ ms/);
      for (const name of ['tocsin-agent.mjs', 'tocsin-probe.mjs']) {
        const [file, sum] = await Promise.all(
          [name, `${name}.sha256`].map((path) => fetch(`${server.base}/download/${path}`)),
        );
        const sha256 = createHash('sha256').update(new Uint8Array(await file!.arrayBuffer()));
        assert.equal(await sum!.text(), `${sha256.digest('hex')}  ${name}\n`);
      }
    } finally {
      server.child.kill('SIGTERM');
    }
    assert.deepEqual(await server.ended, [0, null]);
    const parts = [...server.text().matchAll(/"part":"([^"]+)","took_ms"/g)].map(([, part]) => part);
    assert.deepEqual(
      parts.filter((part) =>
        ['local probe', 'application', 'database connections', 'PostgreSQL'].includes(part ?? ''),
      ),
      ['local probe', 'application', 'database connections', 'PostgreSQL'],
    );
    const pids = pidsIn(server.text());
    assert.equal(pids.length, 3, 'the server, PostgreSQL and the probe');
    assert.deepEqual(pids.filter(isAlive), []);
  }
});

test('a killed server leaves no process behind for long, and the next one starts', async () => {
  await using dir = await temporary();
  const first = await start(dir.path);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await start(dir.path);
  second.child.kill('SIGTERM');
  assert.deepEqual(await second.ended, [0, null]);
  // The probe first tries to bring its last results; a busy machine takes its time.
  const left = () => pidsIn(first.text()).filter(isAlive);
  for (const started = performance.now(); left().length > 0 && performance.now() - started < 15_000; )
    await setTimeout(50);
  assert.deepEqual(left(), []);
});

test('a second server on the same data directory exits with code 1 and the reason', async () => {
  await using dir = await temporary();
  const first = await start(dir.path, { LOCAL_PROBE: 'off' });
  try {
    await assert.rejects(start(dir.path, { LOCAL_PROBE: 'off' }), /already runs on the data directory/);
  } finally {
    first.child.kill('SIGTERM');
    await first.ended;
  }
});

test('with DATABASE_URL it uses that PostgreSQL and starts none', async () => {
  await using dir = await temporary();
  await using database = await freshDatabase();
  const server = await start(dir.path, {
    DATABASE_URL: database.url,
    SECRET_KEY: 'k'.repeat(32),
    LOCAL_PROBE: 'off',
  });
  try {
    assert.equal((await fetch(`${server.base}/readyz`)).status, 200);
    assert.deepEqual(pidsOf(server.text(), 'PostgreSQL'), []);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a dead server is restarted at the same address, while its database keeps running', async () => {
  await using dir = await temporary();
  const server = await start(dir.path);
  try {
    const postgres = pidsOf(server.text(), 'PostgreSQL');
    const [serving = 0] = pidsOf(server.text(), 'server').slice(-1);
    process.kill(serving, 'SIGKILL');
    await until(() => server.text().includes('serving again'), 'the server serves again', 60_000);
    assert.equal((await fetch(`${server.base}/healthz`)).status, 200);
    assert.deepEqual(pidsOf(server.text(), 'PostgreSQL'), postgres);
    assert.equal(pidsOf(server.text(), 'server').length, 2);
    assert.equal(pidsOf(server.text(), 'local probe').length, 1, 'the probe went on');
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('if the supervisor is killed, the server stops cleanly, and then the database', async () => {
  await using dir = await temporary();
  const server = await start(dir.path);
  server.child.kill('SIGKILL');
  await until(() => pidsIn(server.text()).filter(isAlive).length === 0, 'nothing of it is left', 30_000);
  assert.match(server.text(), /"part":"application","took_ms"/);
});

test('a server that cannot start ends everything with code 1 and the reason', async () => {
  await using dir = await temporary();
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const { port } = occupied.address() as { port: number };
  try {
    await assert.rejects(start(dir.path, { PORT: String(port) }), (error: Error) => {
      assert.match(error.message, /is in use\. See by whom: .+Stop that, or start with another PORT/);
      assert.deepEqual(pidsIn(error.message).filter(isAlive), []);
      return true;
    });
  } finally {
    occupied.close();
  }
});

test('for a misspelt variable a warning names it, and nothing stops', async () => {
  await using dir = await temporary();
  const server = await start(dir.path, { LOCAL_PROBE: 'off', PROT: '3555' });
  server.child.kill('SIGTERM');
  await server.ended;
  assert.match(server.text(), /PROT is not a variable of Tocsin and has no effect; did you mean PORT\?/);
});

test('a server that listens on all interfaces prints addresses that a browser can open', async () => {
  await using dir = await temporary();
  const server = await start(dir.path, { LOCAL_PROBE: 'off', HOST: '0.0.0.0' });
  try {
    const printed = [...server.text().matchAll(/http:\/\/[^\s/]+:\d+(?=\s|\/docs)/g)].map(([url]) => url);
    assert.ok(printed.length > 1, server.text());
    for (const url of printed) {
      assert.doesNotMatch(url, /0\.0\.0\.0/);
      assert.equal((await fetch(`${url}/healthz`)).status, 200, url);
    }
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

test('a DATA_DIR that is a file ends the start with a sentence', async () => {
  await using dir = await temporary();
  const path = join(dir.path, 'file');
  await writeFile(path, '');
  await assert.rejects(
    start(path),
    /DATA_DIR \(\S+\) cannot be used: there is a file of that name, and not a folder/,
  );
});
