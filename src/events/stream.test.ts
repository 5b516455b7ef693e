import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DB } from '../platform/db/tables.ts';
import { startLiveStreams } from './stream.ts';

type Call = Parameters<ReturnType<typeof startLiveStreams>['open']>[0];

/** A database whose answers wait until `answer` is called. */
function slowDatabase() {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  class Slow extends DummyDriver {
    override async acquireConnection() {
      const none = await super.acquireConnection();
      const executeQuery = async <R>() => {
        asked.resolve();
        await gate.promise;
        return { rows: [{ live_seq: 0 }] as R[] };
      };
      return { ...none, executeQuery, streamQuery: none.streamQuery };
    }
  }
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Slow(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, asked: asked.promise, answer: () => gate.resolve() };
}

function callOf(orgId: string, keyId: string) {
  const raw = Object.assign(new PassThrough(), { writeHead: () => undefined });
  const call = {
    ...{ caller: { kind: 'key', keyId }, resource: { orgId }, within: null },
    ...{ tenant: { id: orgId, owner: orgId }, query: {}, request: { headers: {} } },
    reply: { raw, hijack: () => undefined, getHeaders: () => ({}) },
  };
  return { call: call as unknown as Call, raw };
}

test('a stream whose seat somebody else got while it was being opened is refused, and not open beside the others', async (t) => {
  const { db, asked, answer } = slowDatabase();
  const listener = { listen: () => undefined } as unknown as Parameters<typeof startLiveStreams>[1];
  const streams = startLiveStreams(db, listener, () => new Date(0), 2);
  t.after(streams.stop);
  const greedy = [callOf('org_greedy', 'key_1'), callOf('org_greedy', 'key_2')];
  const [first, second] = greedy.map(({ call }) => streams.open(call));
  await asked;
  const third = streams.open(callOf('org_quiet', 'key_3').call);
  answer();
  await assert.rejects(second!, { code: 'rate_limited' });
  await Promise.all([first, third]);
  assert.equal(greedy[1]!.raw.readableLength, 0, 'nothing of a stream was sent');
});
