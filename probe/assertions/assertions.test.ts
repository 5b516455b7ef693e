import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { checkHttp } from '#test/harness/http-check.ts';
import { httpServer } from '#test/harness/listeners.ts';
import type { Question } from './asked.ts';
import { costOf, MAIN_LOOP_STEPS } from './cost.ts';
import { judge, stopJudging } from './judge.ts';
import { occursIn } from './occurrence.ts';
import { findingIn } from './question.ts';

type Keyword = NonNullable<HttpConfig['keyword']>;
type Json = HttpConfig['json_assertions'][number];

/** A question about a text, or about headers. */
const asking = (text: string, asked: Partial<Question>): Question => ({
  header_assertions: [],
  keyword: null,
  json_assertions: [],
  headers: {},
  body: { bytes: Buffer.from(text), charset: undefined },
  ...asked,
});
const finding = (question: Question) => findingIn(question, () => undefined);

const keyword = async (text: string, given: Partial<Keyword> & { text: string }) =>
  (await finding(asking(text, { keyword: { mode: 'contains', case_sensitive: false, ...given } })))?.detail ??
  'met';

const json = async (document: unknown, ...json_assertions: Json[]) =>
  (await finding(asking(JSON.stringify(document), { json_assertions })))?.detail ?? 'met';

test('a keyword ignores case by default', async () => {
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

test('a detail shows numbers and lengths, never text of the body', async () => {
  assert.equal(await json({ n: 3 }, { path: '$.n', op: 'gte', value: 5 }), '$.n is 3; expected at least 5');
  const detail = await json({ s: 'hunter2' }, { path: '$.s', op: 'eq', value: 'ok' });
  assert.equal(detail, '$.s is a text of 7 characters; expected equal to "ok"');
  assert.equal(await json({}, { path: '$.s', op: 'exists' }), '$.s is absent; expected present');
});

test('for a body that is not JSON the detail says so', async () => {
  const found = await finding(asking('<html>', { json_assertions: [{ path: '$', op: 'exists' }] }));
  assert.deepEqual([found?.failureClass, found?.detail], ['json_mismatch', 'The body is not JSON']);
});

test('header assertions compare numbers as numbers and never show a value', async () => {
  const headers = { 'x-count': '10', 'set-cookie': ['sid=s3cret', 'b=2'], server: 'nginx/1.2' };
  const said = async (name: string, op: Json['op'], value?: string) => {
    const assertion = { name, op, ...(value === undefined ? {} : { value }) };
    const found = await finding(asking('', { headers, header_assertions: [assertion], body: null }));
    return found?.detail ?? 'met';
  };
  assert.equal(await said('X-Count', 'gt', '9'), 'met');
  assert.equal(await said('server', 'matches', '^nginx'), 'met');
  assert.equal(await said('set-cookie', 'contains', 'b=2'), 'met');
  assert.equal(await said('x-none', 'exists', 'false'), 'met');
  assert.equal(await said('x-none', 'ne', 'a'), 'The header x-none is absent; expected other than "a"');
  assert.equal(await said('server', 'exists', 'false'), 'The header server is present; expected absent');
  assert.doesNotMatch(await said('set-cookie', 'eq', 'x'), /s3cret/);
});

test('evaluation on the main loop is bounded, whatever the kind of assertion', () => {
  const fits = (text: string, asked: Partial<Question>) =>
    costOf(asking(text, asked), false) <= MAIN_LOOP_STEPS;
  const ask = (path: string, op: Json['op'] = 'eq', value: unknown = 1) =>
    fits('{"a":1}', { json_assertions: [{ path, op, value }] });
  assert.deepEqual(
    ['$', '$.a.b[0]', "$['a b'][1]", '$.a_1'].map((path) => ask(path)),
    [true, true, true, true],
  );
  assert.deepEqual(
    ['$..a', '$[*]', '$[?@.a]', '$[1:2]'].map((path) => ask(path)),
    [false, false, false, false],
  );
  assert.equal(ask('$.a', 'matches', 'x'), false);
  const contains = (size: number, wanted: number) => [
    fits('a'.repeat(size), {
      keyword: { text: 'b'.repeat(wanted), mode: 'contains', case_sensitive: true },
    }),
    fits(JSON.stringify({ t: 'a'.repeat(size) }), {
      json_assertions: [{ path: '$.t', op: 'contains', value: 'b'.repeat(wanted) }],
    }),
  ];
  assert.deepEqual(contains(50_000, 20), [true, true]);
  assert.deepEqual(contains(50_000, 500), [false, false]);
  assert.deepEqual(contains(4_000_000, 20), [false, false]);
  const header = (op: Json['op'], value: string) =>
    fits('', {
      headers: { x: 'a'.repeat(15_000) },
      header_assertions: [{ name: 'X', op, value }],
      body: null,
    });
  assert.deepEqual(
    [
      header('eq', 'b'),
      header('contains', 'b'),
      header('contains', 'b'.repeat(4096)),
      header('matches', 'b'),
    ],
    [true, true, false, false],
  );
});

/** Linear still means a thousand states per character here: half a minute for a megabyte. */
const SLOW = '(a[ab]{400}[xy])|(b[ab]{400}[xz])';
const forSlow = Array.from({ length: 1_000_000 }, (_, i) => (((i * i) >> 3) % 7 < 3 ? 'a' : 'b')).join('');

test('a runaway expression is stopped without blocking the loop, named, and charged to its check', async (t) => {
  t.after(stopJudging);
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  t.after(() => clearInterval(ticking));
  const asked = { keyword: { text: SLOW, mode: 'regex' as const, case_sensitive: true } };
  const charged: number[] = [];
  const chargeSeparately = (ms: number) => charged.push(ms);
  const found = await judge(asking(forSlow, asked), { chargeSeparately });
  assert.deepEqual([found?.failureClass, found?.layer], ['assertion_timeout', 'probe']);
  assert.match(found?.detail ?? '', /config\.keyword \(regex\) took longer than 1 s on the target's answer/);
  assert.ok(ticks > 10, 'the main loop ran meanwhile');
  const header_assertions = [
    { name: 'x', op: 'exists' as const },
    { name: 'X-Text', op: 'matches' as const, value: '(?i)(?:\\pL?){900}[!n]' },
  ];
  const headers = { x: '1', 'x-text': 'ä'.repeat(150_000) };
  const many = Array.from({ length: 10 }, () => header_assertions).flat();
  const slow = await judge(asking('', { headers, header_assertions: many, body: null }), {});
  assert.equal(slow?.failureClass, 'assertion_timeout');
  assert.match(slow?.detail ?? '', /config\.header_assertions\.\d+ \(X-Text matching /);
  const fine = { keyword: { text: 'f.ne', mode: 'regex' as const, case_sensitive: true } };
  assert.equal(await judge(asking('fine', fine), { chargeSeparately }), undefined);
  const [stopped = 0, quick = 0] = charged;
  assert.equal(charged.length, 2, 'whether or not it was stopped, it is charged to its check');
  assert.ok(quick > 0 && quick < stopped && stopped >= 200, charged.join());
});

test('one organization’s slow expressions do not delay another’s; its own say why they waited', async (t) => {
  t.after(stopJudging);
  const slow = asking(forSlow, { keyword: { text: SLOW, mode: 'regex', case_sensitive: true } });
  const quick = asking('fine', { keyword: { text: 'f.ne', mode: 'regex', case_sensitive: true } });
  const order: string[] = [];
  const noisy = Array.from({ length: 2 }, async () => {
    const found = await judge(slow, { tenant: { organizationId: 'noisy' } });
    order.push(found?.failureClass ?? 'met');
  });
  for (let i = 0; i < 20; i++) {
    assert.equal(await judge(quick, { tenant: { organizationId: 'quiet' } }), undefined);
    order.push('quiet');
  }
  assert.ok(order.indexOf('quiet') <= 1, order.join());
  const left = noisy.length - order.filter((one) => one === 'assertion_timeout').length;
  assert.ok(left > 0, 'the quiet one was not behind all the others');
  await Promise.all(noisy);
});

test('a cancelled evaluation stops waiting', async (t) => {
  t.after(stopJudging);
  const keyword = { text: SLOW, mode: 'regex' as const, case_sensitive: true };
  const slow = asking(forSlow.slice(0, 8_000), { keyword });
  const tenant = { organizationId: 'one' };
  const first = judge(slow, { tenant });
  const called = new AbortController();
  const second = judge(slow, { tenant, signal: called.signal });
  await new Promise(setImmediate);
  called.abort();
  assert.equal((await second)?.failureClass, 'aborted');
  assert.equal((await first)?.failureClass, 'body_mismatch');
});

test('an evaluation that uses too much memory ends its thread, and another thread takes the next', async (t) => {
  t.after(stopJudging);
  const deep = asking(`[${'{"a":[]},'.repeat(460_000)}1]`, {
    json_assertions: [{ path: '$[?@.a == @.a]..*', op: 'exists' }],
  });
  let found = await judge(deep, {});
  // Its thread was not free in time: other work of the machine, and not this one.
  while (found?.failureClass === 'probe_busy') found = await judge(deep, {});
  assert.equal(found?.layer, 'probe');
  assert.match(found?.failureClass ?? '', /^assertion_(memory|timeout)$/);
  const fine = { keyword: { text: 'f.ne', mode: 'regex' as const, case_sensitive: true } };
  assert.equal(await judge(asking('fine', fine), {}), undefined);
});

test('searching for a long text is linear in both texts', () => {
  for (const [text, wanted] of [
    ['a'.repeat(400_000), `${'a'.repeat(20_000)}b${'a'.repeat(20_000)}`],
    ['a'.repeat(400_000), `b${'a'.repeat(40_000)}`],
    [`${'ab'.repeat(100_000)}x`, `${'ab'.repeat(20_000)}x`],
    ['a'.repeat(400_000), 'a'.repeat(40_000)],
    ['short', 'a'.repeat(4_000_000)],
  ] as const) {
    const startedAtMs = performance.now();
    assert.equal(occursIn(text, wanted), wanted.endsWith('x') || /^a{40000}$/.test(wanted));
    assert.ok(performance.now() - startedAtMs < 2_000);
  }
});

test('expressions in JSONPath filters run in linear time as well', async (t) => {
  t.after(stopJudging);
  const json_assertions = [{ path: "$[?match(@.s, '(a+)+')]", op: 'exists' as const, value: false }];
  const text = JSON.stringify([{ s: `${'a'.repeat(50_000)}!` }]);
  assert.equal(await judge(asking(text, { json_assertions }), {}), undefined);
});

test('an invalid expression or path is reported as invalid configuration', async (t) => {
  t.after(stopJudging);
  for (const broken of [
    { keyword: { text: '(?=x)', mode: 'regex' as const, case_sensitive: true } },
    { json_assertions: [{ path: '$.[', op: 'exists' as const }] },
  ]) {
    const found = await judge(asking('{}', broken), {});
    assert.deepEqual([found?.failureClass, found?.layer], ['invalid_config', 'probe']);
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
