import assert from 'node:assert/strict';
import type { AddressInfo, Server } from 'node:net';
import { after, before, test } from 'node:test';
import { Redis } from 'ioredis';
import mysql2 from 'mysql2';
import pg from 'pg';
import {
  type DatabaseServer,
  startMariadb,
  startPostgres,
  startRedis,
} from '#test/harness/database-servers.ts';
import { closedPort, httpServer, tcpServer } from '#test/harness/listeners.ts';
import { type Config, checkJudged, checkOnce, linesOf, verdictOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';

const ENGINES = ['postgres', 'mysql', 'redis'] as const;
type Engine = (typeof ENGINES)[number];

const servers: Partial<Record<Engine, DatabaseServer>> = {};
const tlsPorts: Partial<Record<Engine, number>> = {};

before(async () => {
  const certificate = await (await trustedAuthority()).issue();
  const keep = (engine: Engine) => (server: (DatabaseServer & { tlsPort?: number }) | null) => {
    if (server === null) return;
    servers[engine] = server;
    tlsPorts[engine] = server.tlsPort ?? server.port;
  };
  // All of them, even if one fails: whatever was started must be stopped.
  const starts = await Promise.allSettled([
    startPostgres(certificate).then(keep('postgres')),
    startMariadb(certificate).then(keep('mysql')),
    startRedis(certificate).then(keep('redis')),
  ]);
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
});
after(() => Promise.all(Object.values(servers).map((server) => server.stop())));

/** A config that the network policy allows. */
function config(engine: Engine, given: Config = {}) {
  const server = servers[engine];
  if (server === undefined) return null;
  const { port, user, password } = server;
  const username = engine === 'redis' ? null : user;
  const named = engine === 'postgres' ? { database: 'postgres' } : {};
  return { engine, host: '127.0.0.1', port, username, password, ...named, ...given };
}

/** A test for each engine that is available here; the others are skipped by name. */
function each(
  name: string,
  engines: readonly Engine[],
  body: (
    config: (given?: Record<string, unknown>) => Record<string, unknown>,
    engine: Engine,
  ) => Promise<void>,
) {
  for (const engine of engines)
    test(`${engine}: ${name}`, async (t) => {
      if (config(engine) === null) return t.skip(`no ${engine} server can be had here`);
      await body((given) => config(engine, given) as Config, engine);
    });
}

each('signing in and a ping are enough without a query', ENGINES, async (config) => {
  const { seen, judged } = await checkJudged('database', config());
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.deepEqual(
    judged.map(({ what, ok }) => [what, ok]),
    [
      ['Connection', true],
      ['Sign-in', true],
      ['Ping', true],
    ],
  );
  assert.equal(typeof seen.latency_ms, 'number');
});

const QUERIES = { postgres: 'SELECT now()', mysql: 'SELECT n FROM shop.goods', redis: 'ECHO "two words"' };
const ANSWERS = { postgres: 'answered, 1 row', mysql: 'answered, 3 rows', redis: 'two words' };

each('a query that is answered is up', ENGINES, async (config, engine) => {
  const { seen, judged } = await checkJudged('database', config({ query: QUERIES[engine] }));
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.equal(linesOf(judged).at(-1), `ok Query: ${ANSWERS[engine]}`);
});

each('a refused password is auth_failed and is not repeated', ENGINES, async (config) => {
  const seen = await checkOnce('database', config({ password: 'wrong-horse' }));
  assert.deepEqual(verdictOf(seen), ['down', 'auth_failed', 'target_app']);
  assert.doesNotMatch(JSON.stringify(seen), /wrong-horse/);
});

each('no password where one is asked for is auth_failed', ENGINES, async (config) => {
  // Nor is a password read from the probe's environment.
  process.env.PGPASSWORD = config().password as string;
  const seen = await checkOnce('database', config({ password: null }));
  assert.deepEqual(verdictOf(seen), ['down', 'auth_failed', 'target_app']);
});

each('a database that is not there is database_unknown', ENGINES, async (config, engine) => {
  const seen = await checkOnce('database', config({ database: engine === 'redis' ? '99' : 'nowhere' }));
  assert.deepEqual(verdictOf(seen), ['down', 'database_unknown', 'target_app']);
  if (engine !== 'redis') assert.match(seen.detail ?? '', /nowhere/);
});

const BROKEN = { postgres: 'SELECT nothing\nFROM nowhere', mysql: 'SELECT\nnothing', redis: 'LLEN' };

each('a query that fails is query_failed with one line of the server', ENGINES, async (config, engine) => {
  const seen = await checkOnce('database', config({ query: BROKEN[engine] }));
  assert.deepEqual(verdictOf(seen), ['down', 'query_failed', 'target_app']);
  assert.match(seen.detail ?? '', { postgres: /nowhere/, mysql: /nothing/, redis: /wrong number/ }[engine]);
});

each('what the server says is shown without the password', ['postgres', 'mysql'], async (config) => {
  const password = config().password as string;
  const seen = await checkOnce('database', config({ query: `SELECT "${password}".x FROM y` }));
  assert.equal(seen.failure_class, 'query_failed');
  assert.doesNotMatch(JSON.stringify(seen), new RegExp(password));
});

/** Counts for far longer than anybody waits. */
const SLOW = {
  postgres: 'WITH RECURSIVE slow AS (SELECT 1 AS n UNION ALL SELECT n FROM slow) SELECT count(*) FROM slow',
  mysql:
    'WITH RECURSIVE slow AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM slow WHERE n < 900) ' +
    'SELECT COUNT(*) FROM slow a, slow b, slow c, slow d WHERE a.n + b.n + c.n + d.n = 0',
  redis: 'GET nothing',
};

/** Prepares something at the Redis server that a check cannot. */
async function atRedis(config: () => Record<string, unknown>, ...command: [string, ...string[]]) {
  const { port, password } = config();
  const client = new Redis({ port: Number(port), password: String(password), retryStrategy: () => null });
  await client.call(...command);
  client.disconnect();
}

async function atPostgres(config: () => Record<string, unknown>, sql: string) {
  const { host, port, username, password, database } = config();
  const client = new pg.Client({ host, port, user: username, password, database } as pg.ClientConfig);
  await client.connect();
  await client.query(sql);
  await client.end();
}

each('a query that takes too long is cut off in time', ENGINES, async (config, engine) => {
  if (engine === 'redis') await atRedis(config, 'CLIENT', 'PAUSE', '1500');
  const startedAtMs = performance.now();
  const seen = await checkOnce('database', config({ query: SLOW[engine], timeout_ms: 1_000 }));
  assert.ok(performance.now() - startedAtMs < 15_000);
  assert.deepEqual(verdictOf(seen), ['down', 'answer_timeout', 'target_app']);
});

each(
  'the server does not go on with a query that was cut off',
  ['postgres', 'mysql'],
  async (config, engine) => {
    await checkOnce('database', config({ query: SLOW[engine], timeout_ms: 1_000 }));
    const running = {
      postgres: `SELECT 1 / (count(*) = 0)::int FROM pg_stat_activity WHERE query LIKE '%FROM slow%' AND pid <> pg_backend_pid()`,
      mysql: `SELECT IF(COUNT(*) = 0, 1, (SELECT 1 UNION SELECT 2)) FROM information_schema.processlist WHERE info LIKE '%FROM slow a%' AND id <> CONNECTION_ID()`,
    }[engine as 'postgres' | 'mysql'];
    // The server needs a moment to give up; it is asked until it has.
    const untilMs = performance.now() + 5_000;
    let gone = false;
    while (!gone && performance.now() < untilMs)
      gone = (await checkOnce('database', config({ query: running }))).status === 'up';
    assert.ok(gone);
  },
);

/** A function that takes SQL as a text, called without parentheses. */
const BY_TEXT = [
  "SELECT * FROM ts_stat('select to_tsvector(pg_termi' || 'nate_backend(pid)::text) from pg_stat_activity')",
  "SELECT u.ts_stat FROM unnest(ARRAY['select to_tsvector(pg_stat_re' || 'set()::text)']) u",
];

const WRITING = {
  postgres: ['CREATE TABLE made_by_accident (n int)', "SELECT pg_read_file('/etc/hostname')", ...BY_TEXT],
  mysql: ['DELETE FROM shop.goods', 'SELECT shop.writes()', "SELECT 1 INTO OUTFILE '/tmp/made-by-accident'"],
  redis: ['SET made by-accident', 'CONFIG SET dir /tmp', 'BGSAVE', 'EVAL "return 1" 0', 'FLUSHALL'],
};

each('a query that does more than read is never sent', ENGINES, async (config, engine) => {
  for (const query of WRITING[engine]) {
    const { seen, judged } = await checkJudged('database', config({ query }));
    assert.deepEqual(verdictOf(seen), ['down', 'invalid_config', 'probe'], query);
    assert.equal(judged.length, 1, 'nothing was connected to');
    assert.match(seen.detail ?? '', /^config\.query must /);
  }
  const { judged } = await checkJudged('database', config({ query: QUERIES[engine] }));
  assert.equal(linesOf(judged).at(-1), `ok Query: ${ANSWERS[engine]}`);
});

each(
  'a view is the way to what is not on the list, and it cannot write',
  ['postgres', 'mysql'],
  async (config, engine) => {
    if (engine === 'postgres')
      await atPostgres(
        config,
        `CREATE OR REPLACE FUNCTION writes() RETURNS int LANGUAGE sql AS 'CREATE TABLE made (n int); SELECT 1';
       CREATE VIEW written AS SELECT writes();
       CREATE VIEW asked AS SELECT count(*) FROM pg_ls_waldir()`,
      );
    const [written, asked] = engine === 'postgres' ? ['written', 'asked'] : ['shop.written', 'shop.asked'];
    assert.equal((await checkOnce('database', config({ query: `SELECT * FROM ${asked}` }))).status, 'up');
    const seen = await checkOnce('database', config({ query: `SELECT * FROM ${written}` }));
    assert.deepEqual(verdictOf(seen), ['down', 'query_failed', 'target_app']);
    assert.match(seen.detail ?? '', /read[- ]only transaction/i);
    const { judged } = await checkJudged('database', config({ query: QUERIES[engine] }));
    assert.equal(linesOf(judged).at(-1), `ok Query: ${ANSWERS[engine]}`);
  },
);

each('a second statement is refused', ['postgres', 'mysql'], async (config) => {
  const seen = await checkOnce('database', config({ query: 'SELECT 1; DELETE FROM goods' }));
  assert.deepEqual(verdictOf(seen), ['down', 'query_failed', 'target_app']);
});

const LARGE = {
  postgres: `SELECT repeat('x', 1000) FROM generate_series(1, 100000)`,
  mysql: `WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 900) SELECT REPEAT('x', 10000) FROM s`,
  redis: 'GET large',
};

each('a result of more than 1 MiB is not read', ENGINES, async (config, engine) => {
  if (engine === 'redis') await atRedis(config, 'SETRANGE', 'large', '5000000', 'x');
  const seen = await checkOnce('database', config({ query: LARGE[engine] }));
  assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
});

each(
  'over TLS the certificate is verified for the host, an address included',
  ENGINES,
  async (config, engine) => {
    const port = tlsPorts[engine];
    const { seen, judged } = await checkJudged('database', config({ tls: true, port }));
    assert.equal(seen.status, 'up', String(seen.detail));
    assert.ok(linesOf(judged).some((line) => line.startsWith('ok TLS: TLSv1')));
    assert.equal(typeof seen.timings_ms?.tls, 'number');
    const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }];
    const other = await checkOnce('database', config({ tls: true, port, host: 'other.test' }), { resolver });
    assert.deepEqual(verdictOf(other), ['down', 'tls_hostname_mismatch', 'target_tls']);
  },
);

test('postgres: nothing is sent to a server that offers no TLS', async (t) => {
  const said: string[] = [];
  const port = await tcpServer(t, (socket) => {
    socket.on('data', (chunk) => {
      said.push(chunk.toString('latin1'));
      socket.write('N');
    });
  });
  const seen = await checkOnce('database', {
    engine: 'postgres',
    host: '127.0.0.1',
    port,
    username: 'me',
    password: 'secret',
    tls: true,
  });
  assert.deepEqual(verdictOf(seen), ['down', 'starttls_unavailable', 'target_app']);
  assert.equal(said.length, 1);
  assert.doesNotMatch(said.join(''), /me|secret/);
});

test('postgres: bytes smuggled in before the TLS handshake are not read as the server’s', async (t) => {
  const port = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.write('SR\0\0\0\x08\0\0\0\0')),
  );
  const seen = await checkOnce('database', { engine: 'postgres', host: '127.0.0.1', port, tls: true });
  assert.deepEqual(verdictOf(seen), ['down', 'invalid_answer', 'target_app']);
});

const PROTOCOL_41 = 0x200;
const TLS = 0x800;

/** The first packets of a MySQL server; with `accepting`, followed by an acceptance that nobody has asked for. */
function mysqlGreeting(capabilities: number, accepting = false): Buffer {
  const flags = capabilities | 0x8_8000;
  const packet = (sequence: number, payload: Buffer) =>
    Buffer.concat([Buffer.from([payload.length, 0, 0, sequence]), payload]);
  const greeting = Buffer.concat([
    Buffer.from('\n8.0.0\0\x01\0\0\0abcdefgh\0', 'latin1'),
    Buffer.from([flags & 0xff, (flags >> 8) & 0xff, 8, 2, 0, (flags >> 16) & 0xff, 0, 21]),
    Buffer.from(`${'\0'.repeat(10)}abcdefghijkl\0mysql_native_password\0`, 'latin1'),
  ]);
  const acceptance = accepting ? [packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0]))] : [];
  return Buffer.concat([packet(0, greeting), ...acceptance]);
}

test('mysql: nothing is sent to a server that offers no TLS', async (t) => {
  let said = 0;
  const port = await tcpServer(t, (socket) => {
    socket.write(mysqlGreeting(PROTOCOL_41));
    socket.on('data', (chunk) => {
      said += chunk.length;
    });
  });
  const config = { engine: 'mysql', host: '127.0.0.1', port, username: 'me', password: 'x', tls: true };
  const seen = await checkOnce('database', config);
  assert.deepEqual(verdictOf(seen), ['down', 'starttls_unavailable', 'target_app']);
  assert.equal(said, 0);
});

test('mysql: a sign-in accepted before the TLS handshake does not count', async (t) => {
  const port = await tcpServer(t, (socket) => socket.write(mysqlGreeting(PROTOCOL_41 | TLS, true)));
  const config = { engine: 'mysql', host: '127.0.0.1', port, username: 'me', password: 'x', tls: true };
  const seen = await checkOnce('database', { ...config, timeout_ms: 500 });
  assert.equal(seen.status, 'down');
  assert.notEqual(seen.failure_class, 'query_failed');
});

test('mysql: a server that speaks only the basic protocol can be checked', async (t) => {
  const double = mysql2.createServer((connection) => {
    connection.on('error', () => undefined);
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: '5.7.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xff_f7ff,
      authCallback: ({ user }: { user: string }, done: (error: null, refusal?: object) => void) =>
        user === 'me' ? done(null) : done(null, { code: 1045, message: `Access denied for user '${user}'` }),
    });
    // Each command starts its packet count anew, which the library's test server leaves to us.
    const answering = (event: string, answer: () => void) =>
      connection.on(event, () => {
        Object.assign(connection, { sequenceId: 1 });
        answer();
      });
    answering('ping', () => connection.writeOk());
    answering('query', () => connection.writeOk());
    answering('stmt_prepare', () => connection.writeError({ code: 1064, message: 'Not in this SQL' }));
  });
  // The library's types lack the host, the end, and the listening address.
  const { _server: listener } = double as unknown as { _server: Server };
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  t.after(() => listener.close());
  const { port } = listener.address() as AddressInfo;
  const at = (given: Config) =>
    checkOnce('database', { engine: 'mysql', host: '127.0.0.1', port, username: 'me', ...given });
  assert.equal((await at({})).status, 'up');
  assert.equal((await at({ query: 'SELECT 1' })).status, 'up');
  assert.deepEqual(verdictOf(await at({ username: 'other' })), ['down', 'auth_failed', 'target_app']);
});

for (const engine of ENGINES) {
  test(`${engine}: refused, silent, closing and foreign servers are distinguished`, async (t) => {
    const at = async (port: number) =>
      verdictOf(await checkOnce('database', { engine, host: '127.0.0.1', port, timeout_ms: 1_500 }));
    assert.deepEqual(await at(await closedPort()), ['down', 'connect_refused', 'target_connect']);
    const silent = await tcpServer(t, () => undefined);
    assert.deepEqual(await at(silent), ['down', 'answer_timeout', 'target_app']);
    const closing = await tcpServer(t, (socket) => socket.end());
    assert.deepEqual(await at(closing), ['down', 'connection_closed', 'target_app']);
    const web = await httpServer(t, (_, response) => response.end());
    const [status, failureClass, layer] = await at(web);
    assert.deepEqual([status, layer], ['down', 'target_app']);
    assert.ok(
      ['invalid_answer', 'connection_closed', 'answer_timeout'].includes(failureClass ?? ''),
      String(failureClass),
    );
  });
}

test('redis: an answer that drips byte by byte is abandoned before it is complete', async (t) => {
  const port = await tcpServer(t, (socket) => {
    const drip = () => void (socket.destroyed || socket.write('a', () => setImmediate(drip)));
    socket.setNoDelay().once('data', () => {
      socket.write('+');
      drip();
    });
  });
  const seen = await checkOnce('database', { engine: 'redis', host: '127.0.0.1', port, timeout_ms: 20_000 });
  assert.deepEqual(verdictOf(seen), ['down', 'answer_too_large', 'target_app']);
  assert.match(seen.detail ?? '', /more than 4096 pieces/);
});

test('redis: an invalid command line is a configuration error', async () => {
  const seen = await checkOnce('database', {
    engine: 'redis',
    host: '127.0.0.1',
    port: 1,
    query: 'GET "open',
  });
  assert.deepEqual(verdictOf(seen), ['down', 'invalid_config', 'probe']);
});

test('an exception of the client library ends the check and nothing else', async (t) => {
  const unknownSignIn = Buffer.from('R\0\0\0\x08\0\0\0c', 'latin1');
  const rowOfNothing = Buffer.from('R\0\0\0\x08\0\0\0\0D\0\0\0\x06\0\x05Z\0\0\0\x05I', 'latin1');
  for (const answer of [unknownSignIn, rowOfNothing]) {
    const port = await tcpServer(t, (socket) => {
      socket.on('error', () => undefined).once('data', () => socket.write(answer));
    });
    const seen = await checkOnce('database', { engine: 'postgres', host: '127.0.0.1', port });
    assert.deepEqual(verdictOf(seen), ['down', 'invalid_answer', 'target_app']);
  }
});
