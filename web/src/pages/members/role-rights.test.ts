import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignableRoles, isLower, mayChange } from './role-rights.ts';

test('an owner assigns every role, an admin none above their own', () => {
  assert.deepEqual(assignableRoles('owner'), ['owner', 'admin', 'manager', 'member', 'viewer']);
  assert.deepEqual(assignableRoles('admin'), ['admin', 'manager', 'member', 'viewer']);
});

test('managers, members and people whose role is not known yet assign none', () => {
  for (const role of ['manager', 'member', undefined]) assert.deepEqual(assignableRoles(role), []);
});

test('an admin changes admins and those below, never an owner', () => {
  assert.equal(mayChange('admin', 'admin'), true);
  assert.equal(mayChange('admin', 'member'), true);
  assert.equal(mayChange('admin', 'owner'), false);
  assert.equal(mayChange('owner', 'owner'), true);
  assert.equal(mayChange('manager', 'member'), false);
});

test('a role is lower than those named before it', () => {
  assert.equal(isLower('owner', 'admin'), true);
  assert.equal(isLower('member', 'manager'), false);
  assert.equal(isLower('admin', 'admin'), false);
});
