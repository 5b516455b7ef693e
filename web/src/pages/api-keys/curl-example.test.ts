import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlExample } from './curl-example.ts';

const made = { key: 'tcn_k', project_ids: null, monitor_ids: null };
const example = (given: object) =>
  curlExample({ ...made, scopes: [], ...given }, 'org_1', 'https://tocsin.example');

test('the example requests something that the key may read', () => {
  assert.equal(
    example({ scopes: ['projects:read'] }),
    "curl -H 'Authorization: Bearer tcn_k' https://tocsin.example/organizations/org_1/projects",
  );
  assert.match(example({ scopes: ['incidents:write'] }) ?? '', /org_1\/incidents$/);
  assert.match(example({ scopes: ['organization:read'] }) ?? '', /\/me\/organizations$/);
  assert.match(example({ scopes: ['monitors:read'] }) ?? '', /org_1\/alert-profiles$/);
});

test('a key narrowed to a monitor or a project gets its own as the example', () => {
  const scopes = ['monitors:read', 'projects:read'];
  assert.match(example({ scopes, monitor_ids: ['mon_1'] }) ?? '', /\/monitors\/mon_1$/);
  assert.match(example({ scopes, project_ids: ['prj_1'] }) ?? '', /\/projects\/prj_1\/monitors$/);
});

test('without a readable list there is no example', () => {
  assert.equal(example({ scopes: ['agents:read'] }), null);
});
