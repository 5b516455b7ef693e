import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPastedAddress } from '#src/domain/pasted-address.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { targetChecks, validateConfig } from '#src/monitors/types/rules.ts';
import { TYPES } from '#src/monitors/types.ts';
import * as checks from './checks.ts';
import { targetKey } from './existing.ts';

const seen = (fields: object, judged: [string, string][] = []) =>
  ({
    status: 'up',
    values_withheld: false,
    judgements: judged.map(([what, actual]) => ({ what, expected: '', actual, ok: true })),
    ...fields,
  }) as never;
const MX = seen({}, [['MX records', '20 Backup.example.com, 10 mx.example.com, 20 backup.example.com']]);

test('mail servers come in order of preference, each once', () => {
  assert.deepEqual(checks.mailServers(checks.recordsIn(MX, 'MX')), ['mx.example.com', 'backup.example.com']);
  assert.deepEqual(checks.mailServers(['0 .']), [], 'a domain that takes no mail');
  assert.deepEqual(checks.recordsIn(seen({}, [['MX records', '']]), 'MX'), [], 'hidden');
  assert.deepEqual(checks.recordsIn(seen({ status: 'down' }, [['MX records', 'none']]), 'MX'), []);
});

test('a probe that could not check has no findings', () => {
  assert.equal(checks.isThere(seen({ status: 'degraded', cause_layer: 'probe' })), false);
  assert.equal(checks.isThere(null), false);
  assert.equal(checks.hasAnswered(seen({ status: 'down', response_code: 503 })), true);
  assert.equal(checks.hasAnswered(seen({ status: 'down', cause_layer: 'target_connect' })), false);
});

const address = (text: string) => {
  const read = readPastedAddress(text, { allowSingleLabel: false });
  return read.ok ? read : assert.fail(read.reason);
};

test('a host is tried with and without TLS, a URL as it is', () => {
  const urls = (text: string) => checks.pageChecks(address(text)).map(({ config }) => config.url);
  assert.deepEqual(urls('example.com'), ['https://example.com/', 'http://example.com/']);
  assert.deepEqual(urls('[2001:db8::1]:81'), ['https://[2001:db8::1]:81/', 'http://[2001:db8::1]:81/']);
  assert.deepEqual(urls('http://example.com/a'), ['http://example.com/a']);
});

test('the server accepts every proposed monitor, under a name that describes it', () => {
  const all: [checks.Check, string][] = [
    [checks.pageChecks(address('https://example.com/shop'))[0] as checks.Check, 'example.com/shop'],
    [checks.tlsCheck(address('example.com:8443')), 'example.com:8443 · TLS'],
    [checks.tcpCheck('example.com', 22), 'example.com:22'],
    [checks.domainCheck('example.com'), 'example.com · Domain'],
    [checks.dnsCheck('example.com', 'A'), 'example.com · DNS A'],
    [checks.dnsCheck('example.com', 'MX'), 'example.com · DNS MX'],
    ...checks
      .mailChecks('mx.example.com', true)
      .map((check, i): [checks.Check, string] => [
        check,
        `mx.example.com · ${['SMTP 25', 'SMTP 465', 'IMAP 993'][i]}`,
      ]),
  ];
  for (const [check, name] of all) {
    const monitor = checks.monitorOf(check, MX);
    assert.equal(monitor.name, name);
    const rules = TYPES.get(monitor.type) ?? assert.fail();
    validateConfig(
      rules,
      withDefaults(rules.schema, monitor.config),
      targetChecks({ allowSingleLabel: false, allowPrivate: false }),
    );
  }
});

test('mail servers are expected to stay the same', () => {
  const { config } = checks.monitorOf(checks.dnsCheck('example.com', 'MX'), MX);
  assert.deepEqual((config.expected as { mode: string }).mode, 'exact');
});

for (const [one, other, isSame] of [
  [{ url: 'https://example.com' }, { url: 'https://EXAMPLE.com/' }, true],
  [{ url: 'https://example.com/a' }, { url: 'https://example.com/' }, false],
  [{ url: 'https://example.com/Shop' }, { url: 'https://example.com/shop' }, false],
] as const)
  test(`${one.url} and ${other.url} are ${isSame ? 'the same' : 'two'}`, () => {
    const of = (config: object) => targetKey({ type: 'http', config: { ...config } });
    assert.equal(of(one) === of(other), isSame);
  });

test('a mail server’s default port makes no difference, another one does', () => {
  const imap = (config: object) =>
    targetKey({
      type: 'mail',
      config: { protocol: 'imap', host: 'mx.example.com', security: 'tls', ...config },
    });
  assert.equal(imap({}), imap({ port: 993 }));
  assert.equal(imap({ port: null }), imap({ port: 993 }));
  assert.notEqual(imap({}), imap({ port: 1993 }));
});

test('a type’s default port makes no difference, the record type does', () => {
  const tls = (config: object) => targetKey({ type: 'tls', config: { host: 'a.example', ...config } });
  assert.equal(tls({}), tls({ port: 443 }));
  assert.notEqual(tls({}), tls({ port: 8443 }));
  const dns = (record_type: string) => targetKey({ type: 'dns', config: { host: 'a.example', record_type } });
  assert.notEqual(dns('A'), dns('MX'));
});
