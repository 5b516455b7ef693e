import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineQueries } from './machine-servers.ts';

/** A machine whose name servers change, and a clock by hand. */
function machine() {
  const state = { servers: ['10.0.0.1'], nowMs: 0, cancelled: [] as string[], opened: 0 };
  const queries = machineQueries(
    () => {
      state.opened += 1;
      const servers = state.servers;
      return { getServers: () => servers, cancel: () => state.cancelled.push(servers.join()) };
    },
    () => state.nowMs,
  );
  const after = (ms: number) => {
    state.nowMs += ms;
    return queries.now().getServers().join();
  };
  return { state, after, queries };
}

test('the name servers of another network are asked without a restart, once they were read twice', () => {
  const { state, after } = machine();
  assert.equal(after(6_000), '10.0.0.1');
  state.servers = ['192.168.1.1'];
  assert.deepEqual([after(6_000), after(6_000)], ['10.0.0.1', '192.168.1.1']);
  state.servers = ['10.0.0.1'];
  assert.deepEqual([after(6_000), after(6_000)], ['192.168.1.1', '10.0.0.1']);
});

test('a file that was being written, or could not be read, changes nothing', () => {
  const { state, after } = machine();
  state.servers = ['127.0.0.1'];
  assert.equal(after(6_000), '10.0.0.1');
  state.servers = ['10.0.0.1'];
  assert.deepEqual([after(6_000), after(6_000), after(6_000)], ['10.0.0.1', '10.0.0.1', '10.0.0.1']);
});

test('they are not read for every name, and the same ones keep what is known of them', () => {
  const { state, after, queries } = machine();
  const first = queries.now();
  for (let i = 0; i < 10; i++) after(100);
  assert.equal(state.opened, 1);
  after(6_000);
  after(6_000);
  assert.equal(queries.now(), first);
});

test('a stop ends the queries to the earlier ones, too', () => {
  const { state, after, queries } = machine();
  state.servers = ['192.168.1.1'];
  after(6_000);
  after(6_000);
  queries.cancel();
  assert.deepEqual(state.cancelled, ['192.168.1.1', '10.0.0.1']);
});
