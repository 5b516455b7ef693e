import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryClient } from '../read.ts';
import { acknowledgeAll } from './acknowledge.ts';

/** A server for which these incidents ring, by group; an acknowledgement covers its whole group. */
function serve(ringing: Map<string, string>, asked: string[], onAsked: () => void): typeof fetch {
  return async (path, { method } = {}) => {
    const list = [...ringing.keys()].map((incident_id) => ({ incident_id }));
    if (method === 'GET') return new Response(JSON.stringify(list));
    const [, id = ''] = /incidents\/(\w+)\/ack/.exec(String(path)) ?? [];
    asked.push(id);
    const group = ringing.get(id);
    for (const [each, of] of ringing) if (of === group) ringing.delete(each);
    onAsked();
    return new Response('{}');
  };
}

test('what begins to ring after the button was shown is not acknowledged by it', async (t) => {
  const real = globalThis.fetch;
  t.after(() => {
    globalThis.fetch = real;
    queryClient.clear();
  });
  const ringing = new Map([
    ['inc_1', 'storm'],
    ['inc_2', 'storm'],
    ['inc_3', 'alone'],
    ['inc_unseen', 'other'],
  ]);
  const asked: string[] = [];
  globalThis.fetch = serve(ringing, asked, () => ringing.set('inc_later', 'later'));
  await acknowledgeAll('org_1', new Set(['inc_1', 'inc_2', 'inc_3']));
  assert.deepEqual(asked, ['inc_1', 'inc_3']);
  assert.deepEqual([...ringing.keys()], ['inc_unseen', 'inc_later']);
});
