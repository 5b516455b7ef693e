import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from 'dns-packet';
import { createResolver } from '#src/platform/outbound/resolve.ts';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import { type DnsAnswer, type DnsAsked, dnsReply, dnsServer } from '#test/harness/dns-server.ts';
import { blackHole, closedPort, tcpServer } from '#test/harness/listeners.ts';
import { checkOnce, wordsOf } from '#test/harness/one-check.ts';
import { reverseName } from './check.ts';

const NAME = 'www.example.test';
const LOCAL = { host: NAME, record_type: 'A', resolver: '127.0.0.1' };
const a = (...addresses: string[]): Answer[] =>
  addresses.map((data) => ({ type: 'A', name: NAME, ttl: 60, data }));

test('a name that has the record is up', async (t) => {
  const { port, asked } = await dnsServer(t, () => ({ answers: a('192.0.2.1') }));
  const seen = await checkOnce('dns', { ...LOCAL, port });
  assert.equal(seen.status, 'up');
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}), ['first_byte', 'total']);
  assert.equal(asked[0]?.question.name, NAME);
});

test('every record type is queried, and its values are written the usual way', async (t) => {
  const name = NAME;
  const records: [Answer, string][] = [
    [{ type: 'AAAA', name, data: '2001:db8::1' }, '2001:0DB8:0:0:0:0:0:1'],
    [{ type: 'CNAME', name, data: 'Target.Example.test' }, 'target.example.test.'],
    [{ type: 'MX', name, data: { preference: 10, exchange: 'mail.example.test' } }, '10 mail.example.test.'],
    [{ type: 'MX', name, data: { preference: 10, exchange: 'mail.example.test' } }, 'mail.example.test'],
    [{ type: 'NS', name, data: 'ns1.example.test' }, 'NS1.example.test'],
    [{ type: 'TXT', name, data: ['v=spf1 include:a.test ', '-all'] }, 'v=spf1 include:a.test -all'],
    [
      { type: 'SRV', name, data: { priority: 10, weight: 5, port: 5060, target: 'sip.example.test' } },
      '10 5 5060 sip.example.test',
    ],
    [
      { type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.example.test' } } as Answer,
      '0 issue "ca.example.test"',
    ],
    [
      {
        type: 'SOA',
        name,
        data: {
          mname: 'ns1.example.test',
          rname: 'admin.example.test',
          serial: 2026,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimum: 4,
        },
      },
      'ns1.example.test admin.example.test 2026 1 2 3 4',
    ],
    [{ type: 'PTR', name, data: 'host.example.test' }, 'host.example.test'],
  ];
  for (const [record, value] of records) {
    const { port } = await dnsServer(t, () => ({ answers: [record] }));
    const config = { ...LOCAL, record_type: record.type, port };
    const seen = await checkOnce('dns', { ...config, expected: { mode: 'exact', values: [value] } });
    assert.equal(seen.status, 'up', `${record.type}: ${seen.detail}`);
    const other = await checkOnce('dns', {
      ...config,
      expected: { mode: 'exact', values: ['10 1 1 other'] },
    });
    assert.equal(wordsOf(other), 'down answer_mismatch target_dns');
  }
});

test('an address gets a reverse lookup', async (t) => {
  const { port, asked } = await dnsServer(t, ({ question }) => ({
    answers: [{ type: 'PTR', name: question.name, data: 'host.example.test' }],
  }));
  assert.equal(
    (await checkOnce('dns', { ...LOCAL, host: '192.0.2.7', record_type: 'PTR', port })).status,
    'up',
  );
  assert.equal(asked[0]?.question.name, '7.2.0.192.in-addr.arpa');
  assert.equal(
    reverseName('2001:db8::567:89ab'),
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  );
});

test('any, all and exact compare sets', async (t) => {
  const { port } = await dnsServer(t, () => ({ answers: a('192.0.2.1', '192.0.2.2') }));
  const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  const cases: [string, (string | undefined)[], boolean, RegExp?][] = [
    ['any', [one, three], true],
    ['any', [three], false, /expected any of 192\.0\.2\.3/],
    ['all', [two], true],
    ['all', [two, three], false, /missing 192\.0\.2\.3/],
    ['exact', [two, one], true],
    ['exact', [two], false, /not expected 192\.0\.2\.1/],
  ];
  for (const [mode, values, good, detail] of cases) {
    const seen = await checkOnce('dns', { ...LOCAL, port, expected: { mode, values } });
    assert.equal(wordsOf(seen), good ? 'up' : 'down answer_mismatch target_dns', `${mode} ${values}`);
    if (detail) assert.match(seen.detail ?? '', detail);
  }
});

test('an alias on the way to the record is not one of the values', async (t) => {
  const { port } = await dnsServer(t, () => ({
    answers: [{ type: 'CNAME', name: NAME, data: 'real.test' }, ...a('192.0.2.1')],
  }));
  const expected = { mode: 'exact', values: ['192.0.2.1'] };
  assert.equal((await checkOnce('dns', { ...LOCAL, port, expected })).status, 'up');
});

test('each response code has its own class, and the expected one is up', async (t) => {
  const cases = [
    [1, 'FORMERR', 'dns_formerr'],
    [2, 'SERVFAIL', 'dns_servfail'],
    [3, 'NXDOMAIN', 'dns_nxdomain'],
    [4, 'NOTIMP', 'dns_notimp'],
    [5, 'REFUSED', 'dns_refused'],
  ] as const;
  for (const [rcode, name, failureClass] of cases) {
    const { port } = await dnsServer(t, () => ({ rcode }));
    assert.equal(wordsOf(await checkOnce('dns', { ...LOCAL, port })), `down ${failureClass} target_dns`);
    assert.equal((await checkOnce('dns', { ...LOCAL, port, expected_rcode: name })).status, 'up');
  }
  const { port } = await dnsServer(t, () => ({ answers: a('192.0.2.1') }));
  const exists = await checkOnce('dns', { ...LOCAL, port, expected_rcode: 'NXDOMAIN' });
  assert.equal(wordsOf(exists), 'down answer_mismatch target_dns');
});

test('a name without such a record has no data', async (t) => {
  const { port } = await dnsServer(t, () => ({}));
  assert.equal(wordsOf(await checkOnce('dns', { ...LOCAL, port })), 'down dns_nodata target_dns');
});

test('a truncated answer is requested again over TCP', async (t) => {
  const { port, asked } = await dnsServer(t, ({ transport }) =>
    transport === 'udp' ? { truncated: true } : { answers: a('192.0.2.1') },
  );
  assert.equal((await checkOnce('dns', { ...LOCAL, port })).status, 'up');
  assert.deepEqual(
    asked.map(({ transport }) => transport),
    ['udp', 'tcp'],
  );
});

test('TCP alone is used if the config says so', async (t) => {
  const { port, asked } = await dnsServer(t, () => ({ answers: a('192.0.2.1') }));
  assert.equal((await checkOnce('dns', { ...LOCAL, port, transport: 'tcp' })).status, 'up');
  assert.deepEqual(
    asked.map(({ transport }) => transport),
    ['tcp'],
  );
});

test('answers with another id, to another question, or that are no responses are ignored', async (t) => {
  const good: DnsAnswer = { answers: a('192.0.2.1') };
  const forged = (asked: DnsAsked) => {
    const evil = { answers: a('203.0.113.66') };
    const query = dnsReply(asked, evil);
    query[2]! &= 0x7f;
    return [
      dnsReply({ ...asked, id: asked.id ^ 1 }, evil),
      dnsReply({ ...asked, question: { name: 'other.test', type: 'A' } }, evil),
      query,
      Buffer.from('x'),
      dnsReply(asked, good),
    ];
  };
  const { port } = await dnsServer(t, forged);
  const expected = { mode: 'exact', values: ['192.0.2.1'] };
  const seen = await checkOnce('dns', { ...LOCAL, port, expected });
  assert.equal(seen.status, 'up', String(seen.detail));
});

test('for an answer that is no DNS message the detail says so', async (t) => {
  const { port } = await dnsServer(t, (asked) => {
    const whole = dnsReply(asked, { answers: a('192.0.2.1') });
    return asked.transport === 'udp'
      ? whole.subarray(0, whole.length - 3)
      : Buffer.from('nonsense, and long enough');
  });
  for (const transport of ['udp', 'tcp'])
    assert.equal(
      wordsOf(await checkOnce('dns', { ...LOCAL, port, transport })),
      'down dns_invalid_answer target_dns',
    );
});

test('a lost query is sent again', async (t) => {
  let received = 0;
  const { port } = await dnsServer(t, () => {
    received += 1;
    return received === 1 ? null : { answers: a('192.0.2.1') };
  });
  assert.equal((await checkOnce('dns', { ...LOCAL, port })).status, 'up');
});

test('silence, refusal and a black hole are distinguished', async (t) => {
  const { port: silent } = await dnsServer(t, () => null);
  const drips = await tcpServer(t, (socket) => {
    const drip = setInterval(() => socket.write('\xff'), 10);
    socket.once('close', () => clearInterval(drip));
  });
  const closed = await closedPort();
  const cases = [
    [{ port: silent }, 'down dns_timeout target_dns'],
    [{ port: silent, transport: 'tcp' }, 'down dns_timeout target_dns'],
    [{ port: drips, transport: 'tcp' }, 'down dns_timeout target_dns'],
    [{ port: closed }, 'down connect_refused target_connect'],
    [{ port: closed, transport: 'tcp' }, 'down connect_refused target_connect'],
    [
      { resolver: '127.0.0.8', port: await blackHole(t, '127.0.0.8'), transport: 'tcp' },
      'down connect_timeout target_connect',
    ],
  ] as const;
  for (const [given, expected] of cases) {
    const seen = await checkOnce('dns', { ...LOCAL, timeout_ms: 1_500, ...given });
    assert.equal(wordsOf(seen), expected, JSON.stringify(given));
    assert.ok((seen.latency_ms ?? 0) < 3_000);
  }
});

test('without a resolver the probe uses its own servers, the next one if one is silent', async (t) => {
  const { port: silent } = await dnsServer(t, () => null);
  const { port } = await dnsServer(t, () => ({ answers: a('192.0.2.1') }));
  const resolver = createResolver({ servers: [`127.0.0.1:${silent}`, `127.0.0.1:${port}`] });
  const context = { resolver, policy: { allowPrivate: false } };
  const config = { host: NAME, record_type: 'A', timeout_ms: 2_000 };
  // They are the operator's choice: no network policy applies to them.
  assert.equal((await checkOnce('dns', config, context)).status, 'up');
});

test('a resolver in a config is subject to the network policy, by address and by name', async (t) => {
  const { port, asked } = await dnsServer(t, () => ({ answers: a('192.0.2.1') }));
  const context = {
    policy: { allowPrivate: false },
    resolver: async () => [{ address: '127.0.0.1', family: 4 as const }],
  };
  for (const resolver of ['127.0.0.1', 'ns.inside.test'])
    for (const transport of ['udp', 'tcp'])
      assert.equal(
        wordsOf(await checkOnce('dns', { ...LOCAL, resolver, port, transport }, context)),
        'down blocked_target probe',
      );
  assert.equal(asked.length, 0);
});

test('a check on demand shows the answers', async (t) => {
  const { port } = await dnsServer(t, () => ({ answers: a('192.0.2.1', '192.0.2.2') }));
  const judgements: Judgement[] = [];
  const expected = { mode: 'all', values: ['192.0.2.9'] };
  await checkOnce('dns', { ...LOCAL, port, expected }, { judged: (one) => judgements.push(one) });
  assert.deepEqual(judgements, [
    { what: 'Response code', expected: 'NOERROR', actual: 'NOERROR', ok: true },
    { what: 'A records', expected: 'all of 192.0.2.9', actual: '192.0.2.1, 192.0.2.2', ok: false },
  ]);
});

test('a cancelled check ends at once', async (t) => {
  const { port } = await dnsServer(t, () => null);
  for (const transport of ['udp', 'tcp']) {
    const stop = new AbortController();
    const checking = checkOnce('dns', { ...LOCAL, port, transport }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    assert.equal(wordsOf(await checking), 'down aborted probe');
  }
});
