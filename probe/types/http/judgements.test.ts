import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import { authority } from '#test/harness/certificates.ts';
import { checkHttp } from '#test/harness/http-check.ts';
import { closedPort, httpServer, httpsServer } from '#test/harness/listeners.ts';
import { linesOf } from '#test/harness/one-check.ts';

type Given = Parameters<typeof checkHttp>[0];

async function judge(config: Given) {
  const judged: Judgement[] = [];
  const seen = await checkHttp(config, { judged: (judgement) => judged.push(judgement) });
  return { seen, judged, lines: linesOf(judged) };
}

test('all assertions are reported in order, even after the first failure, which stays the result', async (t) => {
  const port = await httpServer(t, (_, response) => {
    response.writeHead(500, { 'content-type': 'application/json', 'x-version': '7' });
    response.end(JSON.stringify({ ok: false, name: 'shop', list: [1, 2] }));
  });
  const config: Given = {
    url: `http://127.0.0.1:${port}/`,
    degraded_after_ms: 5_000,
    keyword: { text: 'shop', mode: 'contains', case_sensitive: false },
    header_assertions: [
      { name: 'X-Version', op: 'gte', value: '8' },
      { name: 'Content-Type', op: 'contains', value: 'json' },
      { name: 'X-None', op: 'exists' },
    ],
    json_assertions: [
      { path: '$.ok', op: 'eq', value: true },
      { path: '$.name', op: 'eq', value: 'shop' },
      { path: '$.list[*]', op: 'gt', value: 5 },
      { path: '$.none', op: 'exists' },
    ],
  };
  const { seen, judged, lines } = await judge(config);
  assert.deepEqual(lines.slice(0, -1), [
    `ok Connection: to 127.0.0.1:${port}`,
    'NOT Status: 500',
    'NOT Header X-Version: 7',
    'ok Header Content-Type: application/json',
    'NOT Header X-None: absent',
    'ok Keyword: contains it',
    'NOT JSON $.ok: false',
    'ok JSON $.name: "shop"',
    'NOT JSON $.list[*]: 1, 2',
    'NOT JSON $.none: absent',
  ]);
  assert.match(lines.at(-1) ?? '', /^ok Response time: \d+ ms$/);
  assert.equal(judged[2]?.expected, 'at least "8"');
  const quiet = await checkHttp(config);
  assert.deepEqual(
    [seen.status, seen.failure_class, seen.detail],
    [quiet.status, quiet.failure_class, quiet.detail],
  );
  assert.equal(seen.failure_class, 'http_status');
});

test('secret header values are hidden, long values are truncated', async (t) => {
  const port = await httpServer(t, (_, response) => {
    response.setHeader('set-cookie', ['session=top-secret']);
    response.setHeader('x-long', 'y'.repeat(5_000));
    response.end(JSON.stringify({ text: 'z'.repeat(5_000) }));
  });
  const { judged } = await judge({
    url: `http://127.0.0.1:${port}/`,
    header_assertions: [
      { name: 'Set-Cookie', op: 'exists' },
      { name: 'X-Long', op: 'exists' },
    ],
    json_assertions: [{ path: '$.text', op: 'exists' }],
  });
  assert.doesNotMatch(JSON.stringify(judged), /top-secret/);
  for (const { actual } of judged) assert.ok(actual.length <= 200, actual);
});

test('expressions evaluated in the worker are reported as well', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('{"a": {"n": 1}}'));
  const { lines, seen } = await judge({
    url: `http://127.0.0.1:${port}/`,
    keyword: { text: 'n": 2', mode: 'regex', case_sensitive: true },
    json_assertions: [{ path: '$..n', op: 'eq', value: 1 }],
  });
  assert.deepEqual(lines.slice(-2), ['NOT Keyword: does not match it', 'ok JSON $..n: 1']);
  assert.equal(seen.failure_class, 'body_mismatch');
  const { stopJudging } = await import('#probe/assertions/judge.ts');
  await stopJudging();
});

test('redirects, TLS and a certificate’s days left are reported', async (t) => {
  const issuer = await authority();
  const secure = await httpsServer(t, await issuer.issue({ untilDays: 5 }), (_, response) => response.end());
  const port = await httpServer(t, (_, response) =>
    response.writeHead(302, { location: `https://127.0.0.1:${secure}/` }).end(),
  );
  const config: Given = {
    url: `http://127.0.0.1:${port}/`,
    tls: { verify: true, ca_pem: issuer.cert, min_days_left: 10 },
  };
  const { seen, lines } = await judge(config);
  assert.equal(seen.failure_class, 'tls_expires_soon');
  assert.equal((await checkHttp(config)).failure_class, 'tls_expires_soon');
  assert.deepEqual(
    lines.map((line) => line.replace(/:.*/, '')),
    [
      'ok Connection',
      'ok Redirect',
      'ok Connection',
      'ok TLS',
      'NOT Days left of the certificate',
      'ok Status',
    ],
  );
  assert.match(lines[4] ?? '', /: 4, until \d{4}-\d\d-\d\d$/);
});

test('an early end of the check is reported with its phase', async () => {
  const port = await closedPort();
  const { judged } = await judge({ url: `http://127.0.0.1:${port}/` });
  assert.deepEqual(
    judged.map(({ what, ok }) => [what, ok]),
    [['Connection', false]],
  );
});

test('an assertion that cannot be evaluated is reported as such', async (t) => {
  const port = await httpServer(t, (_, response) => response.end('{}'));
  const { seen, lines } = await judge({
    url: `http://127.0.0.1:${port}/`,
    json_assertions: [{ path: '$[', op: 'exists' }],
  });
  assert.equal(seen.failure_class, 'invalid_config');
  assert.match(lines.at(-1) ?? '', /^NOT Assertions: An assertion could not be evaluated/);
});
