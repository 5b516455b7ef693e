import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { acknowledgeIncident, getIncident, type IncidentWithCapsule } from '#src/incidents/contract.ts';
import { OPERATIONS } from '#src/operations.ts';
import type { Operation } from '#src/platform/contract.ts';
import { createProject, listProjects } from '#src/projects/contract.ts';
import { ApiError } from './call.ts';
import { queryClient, read } from './read.ts';
import { STALE_AFTER } from './stale-after.ts';
import { send } from './write.ts';

const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] }).map(
  (path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }),
);
/** The modules that implement the client, the reads and the writes. */
const MACHINERY = ['call.ts', 'read.ts', 'write.ts'];
const pages = sources.filter(({ path }) => !MACHINERY.includes(path));
const methods = new Map(OPERATIONS.map(({ id, method }) => [id, method]));
const SERVER = join(import.meta.dirname, '../../src');
const require = createRequire(import.meta.url);
/** Operations by the name that the contracts export them under. */
const exported = new Map<string, Operation>();
for (const path of globSync('**/*contract.ts', { cwd: SERVER })) {
  const contract = require(join(SERVER, path)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(contract))
    if (OPERATIONS.includes(value as Operation)) exported.set(name, value as Operation);
}
/** POSTs that only read: a token must not be in the URL, and a draft is too long for it. */
// The preview of `createMonitors`.
const READS_BY_POST = ['lookUpInvitation', 'previewStatusPage', 'replayPolicy', 'createMonitors'];

/** The operations that are passed to a function, with the calling file. */
const handedTo = (name: string) =>
  pages.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\(\\s*(\\w+),`, 'g'))].map(([, operation = '']) => ({
      path,
      id: exported.get(operation)?.id ?? operation,
      method: exported.get(operation)?.method,
    })),
  );
const found = (pattern: RegExp, allowed: readonly string[]) =>
  sources.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path)).map(({ path }) => path);

test('the operations that a page calls directly only read', () => {
  const calls = handedTo('call');
  assert.ok(calls.length > 5, `only ${calls.length} calls were found`);
  const writing = calls.filter(({ id, method }) => method !== 'GET' && !READS_BY_POST.includes(id));
  assert.deepEqual(writing, []);
  assert.deepEqual(
    pages.filter(({ text }) => /fetchJson\((?!\s*'GET')/.test(text)).map(({ path }) => path),
    [],
  );
});

test('the table of stale reads lists exactly the operations that pages write with', () => {
  const sent = [...handedTo('send'), ...handedTo('upload')];
  const posted = pages.flatMap(({ text }) =>
    [...text.matchAll(/(?<![\w.])post(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, path = '']) => path),
  );
  assert.deepEqual(
    sent.filter(({ method }) => method === undefined || method === 'GET'),
    [],
  );
  assert.deepEqual(
    [...new Set([...sent.map(({ id }) => id), ...posted])].sort(),
    Object.keys(STALE_AFTER).sort(),
  );
});

test('every read in the table is used somewhere', () => {
  const own = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/queryKey: \['([\w-]+)'\]/g)].map(([, key]) => key)),
  );
  const unknown = Object.values(STALE_AFTER)
    .flat()
    .filter((key) => methods.get(key) !== 'GET' && !own.has(key));
  assert.deepEqual(unknown, []);
});

test('one hook holds busy and refused states, and the table alone says what is refetched', () => {
  assert.deepEqual(
    // Downloading a file is a read.
    found(/useMutation|setBusy|setRefus/, [
      'use-write.ts',
      'pages/incidents/postmortem/use-autosave.ts',
      'ui/use-file.ts',
    ]),
    [],
  );
  // The live stream, a reconnect, what a refused read says of others, and changes in the browser without a write.
  assert.deepEqual(
    found(/readAgain/, [
      'cached.ts',
      'write.ts',
      'live.ts',
      'live/overview.ts',
      'main.tsx',
      'missing.ts',
      'alarm/push-state.ts',
    ]),
    [],
  );
  // The library's own method skips reads in flight.
  assert.deepEqual(found(/invalidateQueries/, ['cached.ts']), []);
});

/** Answers every request of the next `work` with this status. */
async function answered(status: number, body: object, work: () => Promise<void>): Promise<void> {
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response(JSON.stringify(body), { status });
  try {
    await work();
  } finally {
    globalThis.fetch = real;
    queryClient.clear();
  }
}

const params = { org_id: 'org_1' };
const { queryKey } = read(listProjects, { params });
const isStale = () => queryClient.getQueryState(queryKey)?.isInvalidated;

test('a write runs the handler of its reply first, then invalidates its reads', async () => {
  await answered(201, { id: 'prj_1' }, async () => {
    queryClient.setQueryData(queryKey, []);
    const before: unknown[] = [];
    const made = await send(createProject, { params, body: { name: 'Shop' } }, ({ id }) =>
      before.push(id, isStale()),
    );
    assert.deepEqual([made.id, before, isStale()], ['prj_1', ['prj_1', false], true]);
  });
});

test('reads are stale once the write has completed, not while it is in progress', async () => {
  await answered(200, { id: 'prj_1' }, async () => {
    queryClient.setQueryData(queryKey, []);
    const sending = send(createProject, { params, body: { name: 'Shop' } });
    // The request is in flight: nothing has answered it yet.
    await Promise.resolve();
    assert.equal(isStale(), false);
    await sending;
    assert.equal(isStale(), true);
  });
});

test('a refused write invalidates its reads too: the page may have been stale', async () => {
  await answered(409, { error: 'conflict', message: 'Somebody was faster.' }, async () => {
    queryClient.setQueryData(queryKey, []);
    await assert.rejects(send(createProject, { params, body: { name: 'Shop' } }), ApiError);
    assert.equal(isStale(), true);
  });
});

test('a write that is done does not wait for a read that hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const real = globalThis.fetch;
  globalThis.fetch = (_path, { method } = {}) =>
    method === 'POST'
      ? Promise.resolve(new Response(JSON.stringify({ id: 'prj_1' }), { status: 201 }))
      : new Promise(() => undefined);
  try {
    queryClient.setQueryData(queryKey, []);
    const leave = new QueryObserver(queryClient, {
      ...read(listProjects, { params }),
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => undefined);
    let isDone = false;
    const sending = send(createProject, { params, body: { name: 'Shop' } }).then(() => {
      isDone = true;
    });
    while (queryClient.isFetching() === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.equal(isDone, false, 'a quick read comes first');
    t.mock.timers.tick(3_000);
    await sending;
    leave();
  } finally {
    globalThis.fetch = real;
    queryClient.clear();
  }
});

test('what is shown of a resource is read again after a write of it that failed, though the page takes its change back', async () => {
  const one = { ...params, incident_id: 'inc_1' };
  const incident = read(getIncident, { params: one });
  const before = { id: 'inc_1', lifecycle_state: 'triggered' } as IncidentWithCapsule;
  const now = { ...before, lifecycle_state: 'acknowledged' };
  const real = globalThis.fetch;
  globalThis.fetch = async (_path, { method } = {}) => {
    if (method === 'POST') throw new TypeError('the connection broke');
    return new Response(JSON.stringify(now));
  };
  try {
    queryClient.setQueryData(incident.queryKey, before);
    const leave = new QueryObserver(queryClient, incident).subscribe(() => undefined);
    await send(acknowledgeIncident, { params: one }).catch(() =>
      queryClient.setQueryData(incident.queryKey, before),
    );
    do await new Promise(setImmediate);
    while (queryClient.isFetching() > 0);
    assert.equal(queryClient.getQueryData(incident.queryKey)?.lifecycle_state, 'acknowledged');
    leave();
  } finally {
    globalThis.fetch = real;
    queryClient.clear();
  }
});
