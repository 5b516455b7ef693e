import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INVALID_TARGET_REASONS } from './names.ts';
import { checkHost, checkPort, checkUrl, targetSentence } from './target.ts';

const WEB = { schemes: ['http', 'https'], allowSingleLabel: false };
const NAMES = { allowSingleLabel: false };
const LABEL_63 = 'a'.repeat(63);
const NAME_253 = `${`${LABEL_63}.`.repeat(3)}${'b'.repeat(61)}`;

for (const [url, href] of [
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://Example.COM:8443/a?b#c', 'https://example.com:8443/a?b#c'],
  ['http://example.com.', 'http://example.com./'],
  ['http://example.com:', 'http://example.com/'],
  ['http://example.com:1', 'http://example.com:1/'],
  ['http://example.com:65535', 'http://example.com:65535/'],
  ['http://user:pa%40ss@example.com/', 'http://user:pa%40ss@example.com/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://0177.0.0.1/', 'http://127.0.0.1/'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['http://[2001:DB8::0001]/', 'http://[2001:db8::1]/'],
  ['http://my_service.example.com/', 'http://my_service.example.com/'],
  [`http://${LABEL_63}.com/`, `http://${LABEL_63}.com/`],
  [`http://${NAME_253}/`, `http://${NAME_253}/`],
  ['http://example.com/a://b', 'http://example.com/a://b'],
] as const) {
  test(`the URL ${url.slice(0, 60)} is accepted`, () => {
    const checked = checkUrl(url, WEB);
    assert.ok(checked.ok);
    assert.equal(checked.url.href, href);
  });
}

for (const [url, reason] of [
  [undefined, 'missing'],
  [null, 'missing'],
  [7, 'missing'],
  ['', 'missing'],
  ['  ', 'missing'],
  [' https://example.com', 'whitespace'],
  ['https://example.com\n', 'whitespace'],
  ['https://exa mple.com', 'whitespace'],
  ['https://example.com/\u0000', 'whitespace'],
  ['https://example.com/\u007f', 'whitespace'],
  ['https://example.com/\u200b', 'whitespace'],
  ['example.com', 'unsupported_scheme'],
  ['//example.com', 'unsupported_scheme'],
  ['localhost:8080', 'unsupported_scheme'],
  ['ftp://example.com', 'unsupported_scheme'],
  ['javascript:alert(1)', 'unsupported_scheme'],
  ['file:///etc/passwd', 'unsupported_scheme'],
  ['http://http://example.com', 'scheme_in_host'],
  ['https://', 'no_host'],
  ['https:example.com', 'no_host'],
  ['https:/example.com', 'no_host'],
  ['https:///example.com', 'no_host'],
  ['https://:443/', 'no_host'],
  ['https://user@/', 'no_host'],
  ['https://?q', 'no_host'],
  ['http://example.com:0', 'port_range'],
  ['http://example.com:65536', 'port_range'],
  ['http://example.com:99999999999', 'port_range'],
  ['http://example.com:http', 'port_range'],
  ['http://[::1]:70000/', 'port_range'],
  ['http://a..example.com', 'malformed_label'],
  ['http://.example.com', 'malformed_label'],
  ['http://-a.example.com', 'malformed_label'],
  ['http://a-.example.com', 'malformed_label'],
  ['http://exa$mple.com', 'malformed_label'],
  ['http://exa%00mple.com', 'malformed_label'],
  ['http://./', 'malformed_label'],
  ['http://256.1.1.1/', 'malformed_label'],
  ['http://1.2.3.4.5/', 'malformed_label'],
  ['http://[::1/', 'malformed_label'],
  ['http://[fe80::1%25eth0]/', 'malformed_label'],
  ['http://::1/', 'malformed_label'],
  [`http://${LABEL_63}a.com/`, 'too_long'],
  [`http://${NAME_253}b/`, 'too_long'],
  [`http://example.com/${'a'.repeat(2048)}`, 'too_long'],
  ['http://localhost', 'needs_two_labels'],
  ['http://localhost.:8080/', 'needs_two_labels'],
  ['http://db', 'needs_two_labels'],
] as const) {
  test(`the URL ${JSON.stringify(url)?.slice(0, 60)} is refused: ${reason}`, () => {
    assert.deepEqual(checkUrl(url, WEB), { ok: false, reason });
  });
}

test('a single label is a host if the operator allows that', () => {
  assert.equal(checkUrl('http://localhost:3300/', { ...WEB, allowSingleLabel: true }).ok, true);
  assert.deepEqual(checkHost('db', { allowSingleLabel: true }), { ok: true, host: 'db' });
});

test('other schemes are accepted if the caller lists them, and validated in the same way', () => {
  const sockets = { schemes: ['ws', 'wss'], allowSingleLabel: false };
  assert.equal(checkUrl('wss://example.com/feed', sockets).ok, true);
  assert.deepEqual(checkUrl('https://example.com', sockets), { ok: false, reason: 'unsupported_scheme' });
});

for (const [host, normalised] of [
  ['Example.com', 'example.com'],
  ['example.com.', 'example.com.'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['10.0.0.1', '10.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['::1', '::1'],
  ['[2001:DB8::1]', '2001:db8::1'],
  ['::ffff:10.0.0.1', '::ffff:a00:1'],
] as const) {
  test(`the host ${host} is accepted`, () => {
    assert.deepEqual(checkHost(host, NAMES), { ok: true, host: normalised });
  });
}

for (const [host, reason] of [
  [undefined, 'missing'],
  ['', 'missing'],
  ['\t', 'missing'],
  ['exa mple.com', 'whitespace'],
  ['example.com\u0007', 'whitespace'],
  ['https://example.com', 'scheme_in_host'],
  ['example.com/health', 'path_in_host'],
  ['example.com?x', 'path_in_host'],
  ['example.com#x', 'path_in_host'],
  ['example.com\\x', 'path_in_host'],
  [':80', 'no_host'],
  ['example.com:80', 'malformed_label'],
  ['user@example.com', 'malformed_label'],
  ['exa$mple.com', 'malformed_label'],
  ['a..b.com', 'malformed_label'],
  ['fe80::1%eth0', 'malformed_label'],
  ['[::1]:80', 'malformed_label'],
  [':::', 'malformed_label'],
  ['300.1.1.1', 'malformed_label'],
  [`${LABEL_63}a.com`, 'too_long'],
  [`${NAME_253}b`, 'too_long'],
  ['localhost', 'needs_two_labels'],
] as const) {
  test(`the host ${JSON.stringify(host)?.slice(0, 60)} is refused: ${reason}`, () => {
    assert.deepEqual(checkHost(host, NAMES), { ok: false, reason });
  });
}

test('a port is a whole number from 1 to 65535', () => {
  assert.deepEqual(checkPort(443), { ok: true, port: 443 });
  for (const port of [0, -1, 65_536, 1.5, '80', Number.NaN]) {
    assert.deepEqual(checkPort(port), { ok: false, reason: 'port_range' });
  }
  assert.deepEqual(checkPort(null), { ok: false, reason: 'missing' });
});

test('every reason has a sentence with the field’s name', () => {
  for (const reason of INVALID_TARGET_REASONS)
    assert.match(targetSentence('config.url', reason), /^config\.url .*\.$/);
  assert.match(
    targetSentence('config.url', 'unsupported_scheme', ['http', 'https']),
    /http:\/\/ or https:\/\//,
  );
});

test('every input gives one reason or a host, and an accepted host is accepted again unchanged', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.domain(),
    fc.ipV6(),
    fc.string().map((text) => `http://${text}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const url = checkUrl(text, WEB);
      if (url.ok) assert.equal(checkUrl(url.url.href, WEB).ok, true);
      else assert.ok(INVALID_TARGET_REASONS.includes(url.reason));
      const host = checkHost(text, NAMES);
      if (host.ok) assert.deepEqual(checkHost(host.host, NAMES), host);
    }),
    { numRuns: 1000 },
  );
});
