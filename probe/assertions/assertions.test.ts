import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpConfig } from '../../src/monitors/config/http.ts';
import { checkHttp } from '../../test/harness/http-check.ts';
import { httpServer } from '../../test/harness/listeners.ts';
import { bodyFinding, couldBeSlow } from './body.ts';
import { headerFinding } from './header.ts';
import { answerIsolated, stopIsolated } from './isolated.ts';
import { judgeBody, stopJudging } from './judge.ts';

type Keyword = NonNullable<HttpConfig['keyword']>;
type Json = HttpConfig['json_assertions'][number];

const keyword = async (text: string, given: Partial<Keyword> & { text: string }) =>
  (
    await bodyFinding({
      text,
      keyword: { mode: 'contains', case_sensitive: false, ...given },
      json_assertions: [],
    })
  )?.detail ?? 'met';

const json = async (document: unknown, ...json_assertions: Json[]) =>
  (await bodyFinding({ text: JSON.stringify(document), keyword: null, json_assertions }))?.detail ?? 'met';

test('a keyword is looked for in either case unless told otherwise', async () => {
  assert.equal(await keyword('All Systems GO', { text: 'systems go' }), 'met');
  assert.match(
    await keyword('All Systems GO', { text: 'systems go', case_sensitive: true }),
    /does not contain/,
  );
  assert.equal(await keyword('fine', { text: 'error', mode: 'not_contains' }), 'met');
  assert.equal(
    await keyword('an ERROR', { text: 'error', mode: 'not_contains' }),
    'The body contains "error"',
  );
});

test('a regular expression is RE2 and may occur anywhere', async () => {
  assert.equal(await keyword('build 42 ok', { text: 'build \\d+ OK', mode: 'regex' }), 'met');
  assert.match(
    await keyword('build 42 ok', { text: 'build \\d+ OK', mode: 'regex', case_sensitive: true }),
    /does not match/,
  );
});

test('JSON operators compare by type', async () => {
  const document = { n: 3, s: 'text', list: [1, 'two', { x: 1 }], none: null, o: { k: 1 }, at: '2026-01-02' };
  const met: [string, Json['op'], unknown?][] = [
    ['$.n', 'eq', 3],
    ['$.n', 'ne', '3'],
    ['$.n', 'gt', 2],
    ['$.n', 'gte', 3],
    ['$.n', 'lt', 4],
    ['$.n', 'lte', 3],
    ['$.at', 'lt', '2026-02-01'],
    ['$.s', 'contains', 'ex'],
    ['$.list', 'contains', { x: 1 }],
    ['$.o', 'contains', 'k'],
    ['$.o', 'eq', { k: 1 }],
    ['$.none', 'exists'],
    ['$.none', 'eq', null],
    ['$.missing', 'exists', false],
    ['$.s', 'matches', '^te.t$'],
    ['$.n', 'matches', '^\\d$'],
    ["$['list'][2].x", 'eq', 1],
    ['$.list[*]', 'eq', 'two'],
    ['$..x', 'eq', 1],
    ['$.list[?@.x == 1].x', 'exists'],
  ];
  for (const [path, op, value] of met)
    assert.deepEqual([path, op, await json(document, { path, op, value })], [path, op, 'met']);
  const unmet: [string, Json['op'], unknown?][] = [
    ['$.n', 'eq', '3'],
    ['$.n', 'gt', '2'],
    ['$.n', 'gt', 3],
    ['$.missing', 'ne', 1],
    ['$.missing', 'exists'],
    ['$.n', 'exists', false],
    ['$.list[*]', 'ne', 1],
    ['$.s', 'contains', 3],
    ['$.o', 'matches', '.*'],
  ];
  for (const [path, op, value] of unmet)
    assert.notEqual(await json(document, { path, op, value }), 'met', `${path} ${op}`);
});

test('a detail shows numbers and lengths, never texts of the body', async () => {
  assert.equal(await json({ n: 3 }, { path: '$.n', op: 'gte', value: 5 }), '$.n is 3; expected at least 5');
  const detail = await json({ s: 'hunter2' }, { path: '$.s', op: 'eq', value: 'ok' });
  assert.equal(detail, '$.s is a text of 7 characters; expected equal to "ok"');
  assert.equal(await json({}, { path: '$.s', op: 'exists' }), '$.s is absent; expected present');
});

test('a body that is not JSON says so', async () => {
  const finding = await bodyFinding({
    text: '<html>',
    keyword: null,
    json_assertions: [{ path: '$', op: 'exists' }],
  });
  assert.deepEqual([finding?.failureClass, finding?.detail], ['json_mismatch', 'The body is not JSON']);
});

test('header assertions compare numbers as numbers and never show a value', async () => {
  const headers = { 'x-count': '10', 'set-cookie': ['sid=s3cret', 'b=2'], server: 'nginx/1.2' };
  const finding = async (name: string, op: Json['op'], value?: string) =>
    (await headerFinding([{ name, op, ...(value === undefined ? {} : { value }) }], headers))?.detail ??
    'met';
  assert.equal(await finding('X-Count', 'gt', '9'), 'met');
  assert.equal(await finding('server', 'matches', '^nginx'), 'met');
  assert.equal(await finding('set-cookie', 'contains', 'b=2'), 'met');
  assert.equal(await finding('x-none', 'exists', 'false'), 'met');
  assert.equal(await finding('x-none', 'ne', 'a'), 'The header x-none is absent; expected other than "a"');
  assert.equal(await finding('server', 'exists', 'false'), 'The header server is present; expected absent');
  assert.doesNotMatch(await finding('set-cookie', 'eq', 'x'), /s3cret/);
});

test('only questions that could be slow go to the worker', () => {
  const ask = (path: string, op: Json['op'] = 'eq') =>
    couldBeSlow({ text: '', keyword: null, json_assertions: [{ path, op }] });
  assert.deepEqual(
    ['$', '$.a.b[0]', "$['a b'][1]", '$.a_1'].map((path) => ask(path)),
    [false, false, false, false],
  );
  assert.deepEqual(
    ['$..a', '$[*]', '$[?@.a]', '$[1:2]'].map((path) => ask(path)),
    [true, true, true, true],
  );
  assert.equal(ask('$.a', 'matches'), true);
});

test('an expression that blows up is cut off without holding up the loop', async (t) => {
  t.after(stopIsolated);
  // Linear still means a thousand states per character here: half a minute for this megabyte.
  const text = Array.from({ length: 1_000_000 }, (_, i) => (((i * i) >> 3) % 7 < 3 ? 'a' : 'b')).join('');
  const startedAtMs = performance.now();
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  t.after(() => clearInterval(ticking));
  const reply = await answerIsolated({
    text,
    keyword: { text: '(a[ab]{400}[xy])|(b[ab]{400}[xz])', mode: 'regex', case_sensitive: true },
    json_assertions: [],
  });
  assert.equal(reply, 'timeout');
  assert.ok(performance.now() - startedAtMs < 4_000);
  assert.ok(ticks > 20, 'the main loop ran meanwhile');
  const next = await answerIsolated({
    text: 'fine',
    keyword: { text: 'f.ne', mode: 'regex', case_sensitive: true },
    json_assertions: [],
  });
  assert.deepEqual(next, { finding: undefined, judgements: [] });
});

test('expressions in JSONPath filters run in linear time as well', async (t) => {
  t.after(stopJudging);
  const finding = await judgeBody({
    text: JSON.stringify([{ s: `${'a'.repeat(50_000)}!` }]),
    keyword: null,
    json_assertions: [{ path: "$[?match(@.s, '(a+)+')]", op: 'exists', value: false }],
  });
  assert.equal(finding, undefined);
});

test('an expression or path that is not valid is a matter of configuration', async (t) => {
  t.after(stopJudging);
  const question = { text: '{}', keyword: null, json_assertions: [] as Json[] };
  for (const broken of [
    { ...question, keyword: { text: '(?=x)', mode: 'regex' as const, case_sensitive: true } },
    { ...question, json_assertions: [{ path: '$.[', op: 'exists' as const }] },
  ]) {
    const finding = await judgeBody(broken);
    assert.deepEqual([finding?.failureClass, finding?.layer], ['invalid_config', 'probe']);
  }
});

test('a check reads the body in its charset and judges status, headers, keyword and JSON in that order', async (t) => {
  t.after(stopJudging);
  const port = await httpServer(t, (_, response) => {
    response.setHeader('content-type', 'application/json; charset=iso-8859-1');
    response.end(Buffer.from('{"name":"Jürgen","ok":true}', 'latin1'));
  });
  const url = `http://127.0.0.1:${port}/`;
  const good = {
    url,
    header_assertions: [{ name: 'content-type', op: 'contains' as const, value: 'json' }],
    keyword: { text: 'jürgen', mode: 'contains' as const, case_sensitive: false },
    json_assertions: [{ path: '$.ok', op: 'eq' as const, value: true }],
  };
  assert.equal((await checkHttp(good)).status, 'up');
  const classOf = async (change: Partial<HttpConfig>) =>
    (await checkHttp({ ...good, ...change })).failure_class;
  const wrong = {
    json_assertions: [{ path: '$.ok', op: 'eq' as const, value: false }],
    keyword: { text: 'x', mode: 'contains' as const, case_sensitive: false },
    header_assertions: [{ name: 'etag', op: 'exists' as const }],
    expected_status: ['500'],
  };
  assert.equal(await classOf(wrong), 'http_status');
  assert.equal(await classOf({ ...wrong, expected_status: ['200'] }), 'header_mismatch');
  assert.equal(
    await classOf({ json_assertions: wrong.json_assertions, keyword: wrong.keyword }),
    'body_mismatch',
  );
  assert.equal(await classOf({ json_assertions: wrong.json_assertions }), 'json_mismatch');
});
