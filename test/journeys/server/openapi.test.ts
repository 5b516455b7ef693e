// The document and the routes are the same list: nothing is described that is not there, nothing there is left out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MonitorCreate } from '#src/monitors/contract.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { TYPES } from '#src/monitors/types.ts';
import { OPERATIONS } from '#src/operations.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertErrorBody } from '#test/harness/refused.ts';

let app: TestApp;
let document: { paths: Record<string, Record<string, Described>> };
type Described = {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, unknown>;
  security: unknown[];
  'x-api-key-enabled'?: boolean;
  'x-required-scope'?: string;
};
before(async () => {
  app = await startAppOfFile();
  document = await app.visitor().ok('GET', '/openapi.json');
});

/** Every operation that clients have been promised. */
const PROMISED = [
  'GET /me/organizations',
  'POST /organizations',
  'GET /organizations/{org_id}/projects',
  'POST /organizations/{org_id}/projects',
  'PATCH /projects/{project_id}',
  'DELETE /projects/{project_id}',
  'GET /projects/{project_id}/monitors',
  'POST /projects/{project_id}/monitors',
  'GET /monitors/{monitor_id}',
  'PATCH /monitors/{monitor_id}',
  'DELETE /monitors/{monitor_id}',
  'GET /monitors/{monitor_id}/checks',
  'GET /monitors/{monitor_id}/series',
  'GET /monitors/{monitor_id}/incidents',
  'GET /organizations/{org_id}/incidents',
  'GET /organizations/{org_id}/incidents/{incident_id}',
  'POST /organizations/{org_id}/incidents/{incident_id}/ack',
  'POST /organizations/{org_id}/incidents/{incident_id}/resolve',
  'GET /organizations/{org_id}/incidents/{incident_id}/timeline',
  'GET /organizations/{org_id}/webhooks',
  'POST /organizations/{org_id}/webhooks',
  'PATCH /organizations/{org_id}/webhooks/{target_id}',
  'DELETE /organizations/{org_id}/webhooks/{target_id}',
  'POST /organizations/{org_id}/webhooks/{target_id}/rotate-secret',
  'POST /organizations/{org_id}/webhooks/{target_id}/test',
  'GET /organizations/{org_id}/webhooks/{target_id}/deliveries',
  'POST /organizations/{org_id}/webhooks/{target_id}/deliveries/{delivery_id}/replay',
  'GET /organizations/{org_id}/events',
  'GET /regions',
  'GET /probe/assignments',
  'POST /probe/results',
];

test('every promised operation is described, with parameters for every placeholder in its path', () => {
  for (const promised of PROMISED) {
    const [method = '', path = ''] = promised.split(' ');
    const described = document.paths[path]?.[method.toLowerCase()];
    assert.ok(described, `${promised} is not described`);
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const named = described.parameters.filter((p) => p.in === 'path').map((p) => p.name);
    assert.deepEqual(named.sort(), places.sort(), promised);
  }
});

test('operation ids are unique', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('every operation is mounted: its answer to a visitor is a described one', async () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods)) {
      const url = path.replace(/\{(\w+)\}/g, 'x');
      const answer = await app
        .visitor()
        .send(method.toUpperCase(), url, method === 'get' || method === 'delete' ? undefined : {});
      assert.ok(String(answer.status) in described.responses, `${method} ${path} answered ${answer.status}`);
      if (described.security.length > 0)
        assert.equal(answer.status, 401, `${method} ${path} lets anybody in`);
      // What is shown in a frame refuses with a page.
      const isPage = JSON.stringify(described.responses).includes('text/html');
      if (answer.status >= 400 && !isPage) assertErrorBody(answer.body);
    }
});

test('the answer for a missing resource is described for every permitted caller', async () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods)) {
      if (!path.includes('{') || !JSON.stringify(described.security).includes('session')) continue;
      const body = method === 'get' || method === 'delete' ? undefined : {};
      const answer = await app.alice.send(method.toUpperCase(), path.replace(/\{(\w+)\}/g, 'x'), body);
      assert.ok(String(answer.status) in described.responses, `${method} ${path} answered ${answer.status}`);
    }
});

test('the refusals that every caller can meet are described: too many requests, and a database that is away', () => {
  for (const { method, path, right, throttled } of OPERATIONS) {
    const { responses } = document.paths[path]?.[method.toLowerCase()] ?? assert.fail(path);
    assert.ok('503' in responses, `${method} ${path} describes no 503`);
    // Every session, key and token has a budget, and for visitors some operations have.
    const isCounted = right !== 'public' || throttled === true;
    assert.ok('429' in responses || !isCounted, `${method} ${path} describes no 429`);
  }
});

test('the config of a monitor lists every type with its required fields', () => {
  const { description } = MonitorCreate.properties.config as { description?: string };
  for (const [type, { schema }] of TYPES) {
    const given = withDefaults(schema, {});
    const needed = Object.keys(schema.properties).filter((field) => given[field] === undefined);
    assert.ok(description?.includes(` ${type}: ${needed.join(', ')}.`), `${type} needs ${needed.join(', ')}`);
  }
});

test('operations that accept keys say so, with their scope', () => {
  for (const { id, method, path, scope } of OPERATIONS) {
    const described = document.paths[path]?.[method.toLowerCase()];
    assert.equal(described?.operationId, id);
    assert.deepEqual(
      [described?.['x-api-key-enabled'], described?.['x-required-scope']],
      [scope ? true : undefined, scope],
    );
  }
});

test('the specified key operations accept keys', () => {
  for (const [path, scope] of [
    ['/monitors/{monitor_id}', 'monitors:read'],
    ['/monitors/{monitor_id}/series', 'monitors:read'],
    ['/monitors/{monitor_id}/incidents', 'incidents:read'],
  ] as const)
    assert.equal(document.paths[path]?.get?.['x-required-scope'], scope);
});
