import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { readIncidentSearch } from '../pages/incidents/list/search.ts';
import { onlyFrom } from './search.ts';

test('a page gets the parameters that its reader accepts, and no others of the address', () => {
  const root = createRootRoute();
  const incidents = createRoute({
    getParentRoute: () => root,
    path: '/incidents',
    validateSearch: onlyFrom(readIncidentSearch),
  });
  const router = createRouter({
    routeTree: root.addChildren([incidents]),
    history: createMemoryHistory({
      initialEntries: ['/incidents?status=nothing&severity=nothing&text=api&more=1'],
    }),
  });
  const search = router.matchRoutes(router.latestLocation).at(-1)?.search;
  assert.deepEqual(JSON.parse(JSON.stringify(search)), { text: 'api' });
});
