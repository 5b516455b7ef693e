import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../refusals.ts';
import { PAGE_BYTES, type Page, paged } from './page.ts';

type Row = { id: string; text: string };

/** A list of rows of this many bytes each, some of which are deleted after they were read. */
function shelf(sizes: readonly number[], vanishing: readonly string[] = [], options = {}) {
  let rows: Row[] = sizes.map((bytes, i) => ({ id: `row_${i}`, text: 'x'.repeat(bytes) }));
  const reads: Page[] = [];
  const ask = async (query: { limit?: number; before?: string }) => {
    const headers = new Map<string, string>();
    const reply = { header: (name: string, value: string) => headers.set(name, value) };
    const request = { url: `/things?${new URLSearchParams(query as Record<string, string>)}` };
    const answered = await paged(
      { query, request: request as FastifyRequest, reply: reply as unknown as FastifyReply },
      async (page) => {
        reads.push(page);
        const from = rows.findIndex(({ id }) => id === page.before);
        if (page.before !== null && from < 0) notFound('row');
        const part = rows.slice(from + 1, from + 1 + page.limit);
        rows = rows.filter(({ id }) => !vanishing.includes(id));
        return part;
      },
      ({ id }) => id,
      options,
    );
    const next = /before=(\w+)/.exec(headers.get('link') ?? '')?.[1] ?? null;
    return { ids: answered.map(({ id }) => id), next };
  };
  return { ask, reads };
}

test('a page is cut at its limit and links to the next one; the last has no link', async () => {
  const { ask } = shelf(Array(250).fill(10));
  const first = await ask({ limit: 240 });
  assert.deepEqual([first.ids.length, first.next], [240, 'row_239']);
  const second = await ask({ limit: 240, before: 'row_239' });
  assert.deepEqual([second.ids.length, second.next], [10, null]);
});

test('a page ends with the row that fills it, and all rows appear on successive pages', async () => {
  const bytes = 16 * 1024;
  const { ask, reads } = shelf(Array(400).fill(bytes));
  const seen: string[] = [];
  let before: string | null = null;
  let pages = 0;
  do {
    const page: { ids: string[]; next: string | null } = await ask({
      limit: 1000,
      ...(before ? { before } : {}),
    });
    assert.ok(page.ids.length * bytes < PAGE_BYTES + bytes);
    seen.push(...page.ids);
    before = page.next;
    pages += 1;
  } while (before !== null);
  assert.deepEqual(
    seen,
    Array.from({ length: 400 }, (_, i) => `row_${i}`),
  );
  assert.equal(pages, 4);
  assert.ok(
    reads.every(({ limit }) => limit <= 100),
    'it reads no more at a time than it may have to throw away',
  );
});

test('a row of any size fits on a page', async () => {
  const { ask } = shelf([2 * PAGE_BYTES, 10]);
  assert.deepEqual(await ask({}), { ids: ['row_0'], next: 'row_0' });
});

test('a row deleted while its page is read does not end the page', async () => {
  const { ask } = shelf(Array(150).fill(10), ['row_98', 'row_99']);
  const { ids, next } = await ask({ limit: 1000 });
  assert.deepEqual([ids.length, ids.includes('row_99'), next], [148, false, null]);
});

test('a cursor that never existed is still 404', async () => {
  const { ask } = shelf([10]);
  await assert.rejects(ask({ before: 'row_7' }), { code: 'not_found' });
});

test('a list of large rows starts with few', async () => {
  const { ask, reads } = shelf(Array(100).fill(PAGE_BYTES), [], { readFirst: 5 });
  assert.deepEqual((await ask({})).ids, ['row_0']);
  assert.deepEqual(
    reads.map(({ limit }) => limit),
    [5],
  );
});
