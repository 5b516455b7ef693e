import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathOnDomain } from './path-on-domain.ts';

test('short paths on a domain belong to its page', () => {
  const cases: [string, string][] = [
    ['/', '/status/acme'],
    ['/?x=1', '/status/acme?x=1'],
    ['/de', '/status/acme/de'],
    ['/history', '/status/acme/history'],
    ['/incidents/inc_1', '/status/acme/incidents/inc_1'],
    ['/feed.rss', '/public/status-pages/acme/feed.rss'],
    ['/badge.svg?monitor=m', '/public/status-pages/acme/badge.svg?monitor=m'],
    ['/api/v2/summary.json', '/public/status-pages/acme/summary.json'],
    ['/unlock', '/public/status-pages/acme/unlock'],
    ['/status/acme', '/status/acme'],
    ['/status/acme/de?x', '/status/acme/de?x'],
    ['/public/status-pages/acme', '/public/status-pages/acme'],
    ['/public/status-pages/acme/logo', '/public/status-pages/acme/logo'],
    ['/status/acme2', '/status/acme/status/acme2'],
    ['/public/status-pages/other/logo', '/status/acme/public/status-pages/other/logo'],
    ['/organizations', '/status/acme/organizations'],
    ['*', '/status/acme/*'],
    ['http://other.example/healthz', '/status/acme/http://other.example/healthz'],
    ['/constructor', '/status/acme/constructor'],
  ];
  for (const [given, path] of cases) assert.equal(pathOnDomain('acme', given), path, given);
});

test('any path maps to the page or below it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webPath(), fc.string(), fc.webUrl()), (url) => {
      assert.match(pathOnDomain('acme', url), /^\/(status|public\/status-pages)\/acme([/?#]|$)/);
    }),
  );
});
