// Whatever is sent: never a 5xx, every refusal in the decided shape, and nothing of a refused request is left behind.
// Bodies are made from the operations' own schemas and then spoilt; the seed is printed; `npm run fuzz` sends more.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { OPERATIONS } from '#src/operations.ts';
import type { Operation } from '#src/platform/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fitting as fittingOf } from '#test/harness/arbitrary.ts';
import type { Answer } from '#test/harness/client.ts';
import { makeWitness, type Witness } from '#test/harness/fingerprint.ts';
import { assertErrorBody } from '#test/harness/refused.ts';
import { makeScene, type Scene } from '#test/harness/scene.ts';

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
const RUNS = Number(process.env.FUZZ_RUNS ?? 6);

let app: TestApp;
let scene: Scene;
let witness: Witness;
before(async () => {
  // No jobs: what they write of their own accord, a while after the request that asked for them, is not of a refused one.
  app = await startAppOfFile({ roles: ['api', 'ingest', 'pages'] });
  scene = await makeScene(app, app.alice);
  witness = makeWitness(app.db);
});

/** What is gone after a success: the next request gets a scene of its own. */
const REMOVES = new Set(OPERATIONS.filter(({ method }) => method === 'DELETE').map(({ id }) => id));

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    "'; --",
    '%00',
    '../..',
    '__proto__',
    '{{x}}',
    '1e999',
    'null',
    '••••',
    '🔔',
  ),
);
const odd = fc.oneof(
  oddText,
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>(null, true, -0, 2 ** 53, 1e308, [], {}, [[]], [null], { a: { b: [] } }),
);

/** A body of the schema with, sometimes, one of its places replaced by something odd or a field too many. */
function bodies(schema: TSchema): fc.Arbitrary<unknown> {
  const fitting = fittingOf(schema);
  const spoilt = fc
    .tuple(fitting, fc.nat(), odd)
    .map(([value, at, replacement]) => spoil(value, at, replacement));
  return fc.oneof(
    { weight: 2, arbitrary: fitting },
    { weight: 4, arbitrary: spoilt },
    { weight: 1, arbitrary: odd },
  );
}

function spoil(value: unknown, at: number, replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[at % (keys.length + 1)];
  const copy = structuredClone(value) as Record<string, unknown>;
  if (key === undefined) copy[`extra${at % 7}`] = replacement;
  else copy[key] = at % 3 === 0 ? spoil(copy[key], Math.floor(at / 3), replacement) : replacement;
  return copy;
}

function pathOf({ path }: Operation, oddId: string | null): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(oddId ?? scene.ids[name as keyof Scene['ids']] ?? 'none'),
  );
}

for (const operation of OPERATIONS)
  test(`${operation.id} answers any input without a 5xx (seed ${SEED})`, async () => {
    const body = operation.body ? bodies(operation.body) : fc.oneof(fc.constant(undefined), odd);
    const query = fc.dictionary(
      fc.constantFrom('limit', 'before', 'range', 'status', 'region', 'since', 'action', 'from_unix', 'x'),
      oddText,
      { maxKeys: 2 },
    );
    const oddId = fc.option(
      oddText.filter((text) => text.isWellFormed() && text !== ''),
      { freq: 5 },
    );
    await fc.assert(
      fc.asyncProperty(body, query, oddId, (given, search, id) => oneRequest(operation, given, search, id)),
      { seed: SEED, numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
    );
  });

async function oneRequest(
  operation: Operation,
  given: unknown,
  search: Record<string, string>,
  id: string | null,
): Promise<void> {
  const usable = Object.entries(search).filter(([, value]) => value.isWellFormed());
  const text = new URLSearchParams([
    ...usable,
    ...(operation.id === 'getProbeAssignments' ? [['wait', '0']] : []),
  ]);
  const path = `${pathOf(operation, id)}?${text}`;
  const hasBody = operation.method !== 'GET' && (operation.method !== 'DELETE' || operation.body);
  const sent = hasBody && given !== undefined ? JSON.stringify(given) : undefined;
  const changes = operation.method !== 'GET';
  if (changes) await witness.look();
  const answer = await send(operation, path, sent);
  const what = `${operation.method} ${path} ${sent} answered ${answer.status} ${JSON.stringify(answer.body)}`;
  assert.ok(answer.status < 500, what);
  if (answer.status >= 400) {
    // What is shown in a frame refuses with a page.
    if (operation.produces === 'text/html') assert.match(String(answer.body), /^<!doctype html>/, what);
    else assertErrorBody(answer.body);
    if (changes) await witness.assertUnchanged(`${what}, and something was written`);
    return;
  }
  if (REMOVES.has(operation.id)) scene = await makeScene(app, app.alice);
}

async function send(operation: Operation, path: string, sent: string | undefined): Promise<Answer> {
  if (operation.right === 'probe') {
    const headers = { authorization: `Bearer ${app.probe().token}` };
    return app.visitor().send(operation.method, path, sent, headers);
  }
  if (operation.id !== 'streamOrganizationEvents') return app.alice.send(operation.method, path, sent);
  // A stream has no end to wait for.
  const abort = new AbortController();
  const response = await fetch(app.url + path, {
    headers: { cookie: app.alice.cookie() },
    signal: abort.signal,
  });
  const body = response.ok ? null : await response.json();
  abort.abort();
  return { status: response.status, body, headers: response.headers };
}
