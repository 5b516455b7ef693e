// Whatever is sent: never a 5xx, and every refusal in the decided shape. Bodies are made from the operations' own
// schemas and then spoilt; the seed is printed, `FUZZ_SEED=… node --test …` runs the same again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import type { Monitor } from '../../src/monitors/contract.ts';
import { OPERATIONS } from '../../src/operations.ts';
import type { Operation } from '../../src/platform/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '../harness/app.ts';
import { fitting as fittingOf } from '../harness/arbitrary.ts';
import { assertErrorBody } from '../harness/refused.ts';

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007);
const RUNS = Number(process.env.FUZZ_RUNS ?? 25);

let app: TestApp;
let place: Place;
let ids: Record<string, string>;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
  const target = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:9/x', events: ['opened'] };
  const hook = await app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/webhooks`, target);
  ids = { org_id: place.orgId, project_id: place.projectId, monitor_id: monitor.id, target_id: hook.id };
});

/** Not asked: it streams; it waits; it removes what the others need; it ends the session or hashes passwords. */
const LEFT_OUT = new Set([
  'streamOrganizationEvents',
  'completeSetup',
  'deleteProject',
  'deleteMonitor',
  'deleteWebhookTarget',
]);

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
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(oddId ?? ids[name] ?? 'none'));
}

for (const operation of OPERATIONS.filter(({ id }) => !LEFT_OUT.has(id)))
  test(`${operation.id} answers whatever it is sent without a 5xx (seed ${SEED})`, async () => {
    const isProbe = operation.right === 'probe';
    const headers: Record<string, string> = isProbe ? { authorization: `Bearer ${app.probe().token}` } : {};
    const client = isProbe ? app.visitor() : app.alice;
    const body = operation.body ? bodies(operation.body) : fc.oneof(fc.constant(undefined), odd);
    const query = fc.dictionary(
      fc.constantFrom('limit', 'before', 'range', 'status', 'region', 'since', 'x'),
      oddText,
      { maxKeys: 2 },
    );
    const oddId = fc.option(
      oddText.filter((text) => text.isWellFormed() && text !== ''),
      { freq: 5 },
    );
    const hasBody = operation.method !== 'GET' && operation.method !== 'DELETE';
    await fc.assert(
      fc.asyncProperty(body, query, oddId, async (given, search, id) => {
        const usable = Object.entries(search).filter(([, value]) => value.isWellFormed());
        const text = new URLSearchParams([
          ...usable,
          ...(operation.id === 'getProbeAssignments' ? [['wait', '0']] : []),
        ]);
        const path = `${pathOf(operation, id)}?${text}`;
        const sent = hasBody && given !== undefined ? JSON.stringify(given) : undefined;
        const answer = await client.send(operation.method, path, sent, headers);
        assert.ok(
          answer.status < 500,
          `${operation.method} ${path} ${sent} answered ${answer.status} ${JSON.stringify(answer.body)}`,
        );
        if (answer.status >= 400) assertErrorBody(answer.body);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });
