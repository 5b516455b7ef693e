import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Answer } from 'dns-packet';
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

/** A name server that denies every name but those of the records, by type and name. */
const denying = (t: TestContext, records: Record<string, Answer>) =>
  dnsServer(t, ({ question: { name, type } }) => {
    const found = records[`${type} ${name}`];
    return found ? { answers: [found] } : { rcode: 3 };
  });
const ROOT: Answer = { type: 'NS', name: '.', ttl: 60, data: 'a.root-servers.net' };
const TARGET: Answer = { type: 'A', name: 'target.example', ttl: 60, data: '192.0.2.1' };
const CHAIN: Answer = { type: 'CNAME', name: 'own.example', ttl: 60, data: 'gone.example' };

test('a name server that denies every name proves nothing of a domain, at any hop', async (t) => {
  const { port } = await denying(t, { 'CNAME own.example': CHAIN });
  const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
  const unknown = { kind: 'unknown', why: 'the name servers deny every name, even the root of DNS' };
  assert.deepEqual(await lookUp('none.example', 'target.example'), unknown);
  assert.deepEqual(await lookUp('own.example', 'target.example'), unknown);
});

for (const [what, record] of Object.entries({ 'NS .': ROOT, 'A target.example': TARGET }))
  test(`a denial is believed of a name server that knows ${what}`, async (t) => {
    const { port } = await denying(t, { [what]: record, 'CNAME own.example': CHAIN });
    const lookUp = makeCnameLookUp([`127.0.0.1:${port}`]);
    assert.deepEqual(await lookUp('none.example', 'target.example'), { kind: 'no_record' });
    assert.deepEqual(await lookUp('own.example', 'target.example'), {
      ...{ kind: 'points_elsewhere', to: 'gone.example' },
    });
  });
