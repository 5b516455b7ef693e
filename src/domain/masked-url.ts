// Browser-safe. An address as it is shown to people who may not change it: without what would let them in.

/** Names of parameters that hold a secret: `token`, `api_key`, `X-Amz-Signature`. */
const SECRET =
  /token|secret|passw|passphrase|pwd|api.?key|access.?key|^key$|auth|signature|^sig$|credential|jwt|session/i;

/** The address with every secret in its query replaced by `mask`; anything else stays to the letter. */
export function maskedUrl(url: string, mask: string): string {
  const [, address, query, fragment = ''] = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(url) ?? [];
  if (query === undefined) return url;
  const shown = query.split('&').map((pair) => {
    const [name = '', value] = pair.split(/=(.*)/s);
    return value && SECRET.test(unescaped(name)) ? `${name}=${mask}` : pair;
  });
  return `${address}?${shown.join('&')}${fragment}`;
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
