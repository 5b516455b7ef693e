import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BannerFacts, banner } from './banner.ts';

const FACTS: BannerFacts = {
  version: '1.2.3',
  tookMs: 1234,
  baseUrl: 'http://localhost:3300',
  address: 'http://127.0.0.1:3300',
  hosts: ['localhost'],
  setupLink: null,
  adminEmail: null,
  dashboard: true,
  database: 'bundled',
  localProbe: true,
  roles: ['api', 'ingest', 'jobs', 'pages'],
  mail: true,
};

test('the banner says where to read about mail, until it is set up', () => {
  assert.match(banner({ ...FACTS, mail: false }, false), /^ {2}Mail +none: .+docs\/self-hosting\.md#mail$/m);
  assert.doesNotMatch(banner(FACTS, false), /Mail|self-hosting/);
});

test('the banner of a server with some roles names only those', () => {
  const text = banner({ ...FACTS, roles: ['jobs', 'pages'], dashboard: false, localProbe: false }, false);
  assert.match(text, /^ {2}Roles +jobs, pages$/m);
  assert.match(text, /^ {2}Probe +none here \(it belongs to the role ingest\)$/m);
  assert.doesNotMatch(text, /\/docs|Dashboard/);
  assert.doesNotMatch(banner(FACTS, false), /Roles/);
});
