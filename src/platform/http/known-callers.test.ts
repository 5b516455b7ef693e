import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fastify from 'fastify';
import { Type } from 'typebox';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, freshDatabase } from '#test/harness/database.ts';
import type { Operation } from '../contract.ts';
import { currentAsker, type Tenant } from '../db/asker.ts';
import { readsOf } from '../db/replica/reads.ts';
import { Refusal } from '../refusals.ts';
import type { Authorizer, Caller } from './caller.ts';
import { followRequests } from './current-request.ts';
import { makeKnownCallers } from './known-callers.ts';
import { mount } from './mount.ts';
import { read } from './route.ts';

const stack = new AsyncDisposableStack();

const KEY: Caller = {
  kind: 'key',
  keyId: 'key_1',
  name: 'K',
  orgId: 'org_1',
  scopes: ['monitors:read'],
  within: null,
};
let url = '';
let caller: Caller | null = KEY;
let failure: Refusal | null = null;
const lookedUpFor: (Tenant | null)[] = [];
before(async () => {
  closeAfterTests(() => stack.disposeAsync());
  const { db } = stack.use(await freshDatabase());
  const http = fastify();
  stack.defer(() => http.close());
  followRequests(http);
  const look: Operation = {
    ...{ id: 'look', method: 'GET', path: '/look', summary: 'Looks', status: 200, tag: 'Test' },
    ...{ right: 'member', resource: 'none', scope: 'monitors:read', reply: Type.Object({}) },
  } as never;
  const gate = {
    identify: async () => {
      lookedUpFor.push(currentAsker().tenant);
      if (failure) throw failure;
      return caller;
    },
    tenantOf: async () => ({ id: 'org_1', owner: 'usr_1' }),
  } as Partial<Authorizer> as Authorizer;
  http.setErrorHandler((error: Refusal, _request, reply) => reply.status(error.status).send({}));
  mount(http, [read(look, async () => ({}))], gate, db, () => new Date(), {
    limits: null,
    known: makeKnownCallers(),
    sessionCookie: 'session',
    log: silent,
    reads: readsOf(db),
  });
  url = await http.listen({ host: '127.0.0.1', port: 0 });
});

const ask = async (headers: Record<string, string>) => {
  const { status } = await fetch(`${url}/look`, { headers });
  return { status, whose: lookedUpFor.at(-1)?.id };
};

test('a known valid credential is looked up in its owner’s share, any other in that of its address', async () => {
  const good = { authorization: 'Bearer good' };
  assert.deepEqual(await ask(good), { status: 200, whose: 'address 127.0.0.1' });
  assert.deepEqual(await ask(good), { status: 200, whose: 'org_1' });
  assert.deepEqual(await ask({ cookie: 'session=a' }), { status: 200, whose: 'address 127.0.0.1' });
  assert.deepEqual(await ask({ cookie: 'session=a' }), { status: 200, whose: 'org_1' });
  assert.equal((await ask({ cookie: 'session=a; session=b' })).whose, 'address 127.0.0.1');
});

test('a credential whose lookup failed is not forgotten', async () => {
  const good = { authorization: 'Bearer steady' };
  await ask(good);
  failure = new Refusal('unavailable', 'Too busy.');
  assert.deepEqual(await ask(good), { status: 503, whose: 'org_1' });
  failure = null;
  assert.deepEqual(await ask(good), { status: 200, whose: 'org_1' });
});

test('a credential found to be invalid is forgotten', async () => {
  const gone = { authorization: 'Bearer gone' };
  await ask(gone);
  caller = null;
  assert.deepEqual(await ask(gone), { status: 401, whose: 'org_1' });
  assert.deepEqual(await ask(gone), { status: 401, whose: 'address 127.0.0.1' });
  caller = KEY;
});
