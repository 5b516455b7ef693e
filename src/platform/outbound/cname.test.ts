import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsServer } from '#test/harness/dns-server.ts';
import { makeCnameLookUp } from './cname.ts';

test('a chain of slow name servers is abandoned, and proves nothing', async (t) => {
  let atMs = 0;
  t.mock.method(performance, 'now', () => atMs);
  const { port, asked } = await dnsServer(t, ({ question: { name } }) => {
    atMs += 4_000;
    const hop = Number(name.split('.')[0]) + 1;
    return {
      answers: [{ type: 'CNAME', name, ttl: 60, data: hop === 5 ? 'target.example' : `${hop}.example` }],
    };
  });
  const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
  assert.equal((await lookUp('3.example', 'target.example')).kind, 'points_here');
  asked.length = 0;
  assert.deepEqual(await lookUp('0.example', 'target.example'), {
    ...{ kind: 'unknown', why: 'the name servers did not answer in time' },
  });
  assert.equal(asked.length, 3);
});

test('a record that points to itself ends the lookup, and counts as pointing elsewhere', async (t) => {
  const { port } = await dnsServer(t, ({ question: { name } }) => ({
    answers: [{ type: 'CNAME', name, ttl: 60, data: name }],
  }));
  const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
  assert.deepEqual(await lookUp('loop.example', 'target.example'), {
    ...{ kind: 'points_elsewhere', to: 'loop.example' },
  });
});
