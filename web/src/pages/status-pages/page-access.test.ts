import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessModeOf, accessOf, isOnline } from './page-access.ts';

const DRAFT = {
  enabled: true,
  public_viewable: false,
  password_protected: false,
  shared_password_protected: false,
};

test('the only true flag is the mode; without any it is a draft', () => {
  assert.deepEqual(
    [
      DRAFT,
      { ...DRAFT, public_viewable: true },
      { ...DRAFT, shared_password_protected: true },
      { ...DRAFT, password_protected: true },
    ].map(accessModeOf),
    ['draft', 'public', 'shared_password', 'viewer_login'],
  );
});

test('nobody reaches a page that is switched off, and a draft stays a draft', () => {
  const off = { ...DRAFT, public_viewable: true, enabled: false };
  assert.deepEqual([accessOf(off), isOnline(off)], ['off', false]);
  assert.deepEqual([accessOf({ ...DRAFT, enabled: false }), isOnline(DRAFT)], ['draft', false]);
  assert.equal(isOnline({ ...off, enabled: true }), true);
});
