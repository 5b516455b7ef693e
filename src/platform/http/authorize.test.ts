import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { deleteOrganization } from '#src/organizations/contract.ts';
import { authorize } from './authorize.ts';
import type { Authorizer, Caller, Located } from './caller.ts';

const CALLER = { kind: 'user', userId: 'usr_1', operator: false } as Caller;
const FOUND: Located = { orgId: 'org_1', projectId: null, monitorNo: null, monitorId: null };
const REQUEST = { headers: {}, params: { org_id: 'org_1' } } as unknown as FastifyRequest;

/** The organization as it is found, lookup by lookup; nobody is a member. */
function authorizerOf(...lookups: (Located | null)[]): Authorizer {
  const known: Partial<Authorizer> = {
    identify: async () => CALLER,
    locate: async () => lookups.shift() ?? null,
    roleOf: async () => null,
  };
  return known as Authorizer;
}

test('whoever is no member of an organization may nothing there', async () => {
  await assert.rejects(authorize(deleteOrganization, REQUEST, authorizerOf(FOUND, FOUND)), {
    code: 'forbidden',
  });
});

test('an organization that is deleted while its members are looked up does not exist', async () => {
  await assert.rejects(authorize(deleteOrganization, REQUEST, authorizerOf(FOUND, null)), {
    code: 'not_found',
  });
});
