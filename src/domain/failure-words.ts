// Browser-safe. Failure classes and expectations as parts of sentences: "expected …; got …".

/** What was found instead, as a noun; a class without an entry is written out from its own name. */
const FOUND: Readonly<Record<string, string>> = {
  connect_refused: 'a refused connection',
  connect_timeout: 'no connection in time',
  connect_reset: 'a connection reset',
  connect_unreachable: 'no route to the host',
  dns_nxdomain: 'no such name in DNS',
  dns_nodata: 'no address in DNS',
  dns_timeout: 'no answer from DNS in time',
  dns_servfail: 'a server failure from DNS',
  dns_refused: 'a refusal from DNS',
  dns_unreachable: 'no DNS server within reach',
  dns_bad_name: 'a name that DNS cannot look up',
  dns_error: 'a broken answer from DNS',
  tls_expired: 'an expired certificate',
  tls_not_yet_valid: 'a certificate that is not valid yet',
  tls_expires_soon: 'a certificate that expires too soon',
  tls_self_signed: 'a self-signed certificate',
  tls_untrusted: 'a certificate that is not trusted',
  tls_hostname_mismatch: 'a certificate for another name',
  tls_client_certificate: 'a client certificate asked for or refused',
  tls_handshake: 'a failed TLS handshake',
  tls_timeout: 'no TLS handshake in time',
  response_timeout: 'no complete answer in time',
  response_reset: 'an answer that broke off',
  invalid_response: 'an answer that is not valid HTTP',
  invalid_redirect: 'a redirect to nowhere',
  too_many_redirects: 'too many redirects',
  headers_too_large: 'headers that are too large',
  header_mismatch: 'headers other than asked for',
  body_too_large: 'a body that is too large',
  body_mismatch: 'a body other than asked for',
  json_mismatch: 'JSON other than asked for',
  http_status: 'another status',
  unknown: 'a failure',
};

export function foundWords(failureClass: string): string {
  return FOUND[failureClass] ?? failureClass.replaceAll('_', ' ');
}

/** What a monitor expects of its target: "a status in 200-299 within 10 s". `config` is the monitor's, complete. */
export function expectationWords(type: string, config: Readonly<Record<string, unknown>>): string {
  return `${type === 'http' ? statusWords(config) : 'a passing check'}${withinWords(config)}`;
}

/** What a monitor expected where a failure of this class was found. */
export function expectationOfClass(
  failureClass: string,
  type: string,
  config: Readonly<Record<string, unknown>>,
): string {
  if (failureClass.startsWith('dns_')) return `an address for the name${withinWords(config)}`;
  if (failureClass.startsWith('connect_')) return `a connection${withinWords(config)}`;
  if (failureClass === 'tls_timeout' || failureClass === 'tls_handshake')
    return `a TLS handshake${withinWords(config)}`;
  if (failureClass.startsWith('tls_')) return 'a valid certificate';
  if (failureClass.startsWith('header')) return 'the headers asked for';
  if (failureClass.startsWith('body_')) return 'the body asked for';
  if (failureClass.startsWith('json_')) return 'the JSON asked for';
  return expectationWords(type, config);
}

function statusWords({ expected_status: expected }: Readonly<Record<string, unknown>>): string {
  const ranges = Array.isArray(expected) && expected.length > 0 ? expected.map(String) : ['200-299'];
  const only = ranges.length === 1 && !ranges[0]?.includes('-');
  return `a status ${only ? 'of' : 'in'} ${listed(ranges, 'or')}`;
}

function withinWords({ timeout_ms: timeout }: Readonly<Record<string, unknown>>): string {
  return typeof timeout === 'number' ? ` within ${timeout / 1000} s` : '';
}

/** "a", "a and b", "a, b and c". */
export function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}
