import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listNotes } from '#src/incidents/actions-contract.ts';
import { call } from './call.ts';
import { everyPage } from './every-page.ts';

/** A server that has notes 1 to `count`, and ends a page after `most` of them, as for their bytes. */
function serve(t: TestContext, count: number, most: number): string[] {
  const asked: string[] = [];
  const real = globalThis.fetch;
  t.after(() => {
    globalThis.fetch = real;
  });
  globalThis.fetch = async (path) => {
    const { pathname, searchParams } = new URL(String(path), 'http://localhost');
    asked.push(`${searchParams}`);
    const from = Number(searchParams.get('before') ?? 0);
    const until = Math.min(count, from + Math.min(most, Number(searchParams.get('limit'))));
    const rows = Array.from({ length: until - from }, (_, i) => ({ id: String(from + i + 1) }));
    searchParams.set('before', String(until));
    const link: Record<string, string> =
      until < count ? { link: `<${pathname}?${searchParams}>; rel="next"` } : {};
    return new Response(JSON.stringify(rows), { headers: link });
  };
  return asked;
}

const params = { org_id: 'org_1', incident_id: 'inc_1' };
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => Number(id));
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test('a list whose pages end by their bytes is read as far as its limit', async (t) => {
  const asked = serve(t, 25, 10);
  assert.deepEqual(ids(await call(listNotes, { params, query: { limit: 1000 } })), upTo(25));
  assert.deepEqual(asked, ['limit=1000', 'limit=990&before=10', 'limit=980&before=20']);
});

test('a page that its limit ended is not continued', async (t) => {
  const asked = serve(t, 25, 10);
  assert.deepEqual(ids(await call(listNotes, { params, query: { limit: 15 } })), upTo(15));
  assert.deepEqual(asked, ['limit=15', 'limit=5&before=10']);
});

test('a list that is read whole does not end where a page does', async (t) => {
  serve(t, 2_300, 400);
  const pageBefore = (query: { limit: number; before?: string }) => call(listNotes, { params, query });
  assert.deepEqual(ids(await everyPage(pageBefore, ({ id }) => id)), upTo(2_300));
});
