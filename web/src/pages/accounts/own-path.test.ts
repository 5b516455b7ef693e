import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPath } from './own-path.ts';

test('a path of the dashboard is kept with its search', () => {
  assert.equal(ownPath('/o/org_1/monitors?project=prj_1'), '/o/org_1/monitors?project=prj_1');
  assert.equal(ownPath('/account'), '/account');
});

test('an address on another site is not accepted', () => {
  for (const elsewhere of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    7,
    null,
  ])
    assert.equal(ownPath(elsewhere), undefined);
});

test('the sign-in pages are not accepted as the way back', () => {
  assert.equal(ownPath('/sign-in?back=/o/1'), undefined);
  assert.equal(ownPath('/second-step'), undefined);
});
