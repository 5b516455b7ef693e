import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceFilter } from './caller.ts';
import { type Place, sees } from './within.ts';

const SHOP: ResourceFilter = { projectIds: ['shop'], monitorIds: [] };
const POSTS: ResourceFilter = { projectIds: [], monitorIds: ['posts'] };
const BOTH: ResourceFilter = { projectIds: ['shop'], monitorIds: ['posts'] };
const NOTHING: ResourceFilter = { projectIds: [], monitorIds: [] };

const cases: [what: string, place: Place, seenBy: ResourceFilter[]][] = [
  ['a monitor of the project', { projectId: 'shop', monitorId: 'cart' }, [null, SHOP, BOTH]],
  ['the monitor itself', { projectId: 'blog', monitorId: 'posts' }, [null, POSTS, BOTH]],
  ['a monitor beside it', { projectId: 'blog', monitorId: 'feed' }, [null]],
  ['a monitor of no known project', { projectId: null, monitorId: 'posts' }, [null, POSTS, BOTH]],
  ['an incident without a monitor', { projectId: 'shop', monitorId: '' }, [null]],
];
for (const [what, place, seenBy] of cases)
  test(`${what} is seen by ${seenBy.length} of 5`, () => {
    for (const within of [null, SHOP, POSTS, BOTH, NOTHING])
      assert.equal(sees(within, place), seenBy.includes(within), JSON.stringify(within));
  });
