// The sign-in library's signed cookies: name=value.signature, the signature being the base64 of an HMAC with SHA-256.
import { createHmac, timingSafeEqual } from 'node:crypto';

type Secrets = readonly { value: string }[] | undefined;

/** The value of a cookie, if it was signed under the secret in force, which comes first; otherwise null. */
export function signedValue(header: string, name: string, secrets: Secrets): string | null {
  const inForce = secrets?.[0]?.value;
  if (inForce === undefined) return null;
  for (const pair of header.split(';')) {
    const [, found, value = '', signature = ''] = SIGNED.exec(pair.trim()) ?? [];
    if (found !== name) continue;
    const text = decoded(value);
    return isSigned(text, signature, inForce) ? text : null;
  }
  return null;
}

/**
 * A Cookie header whose cookies signed under an earlier secret are signed under the one in force, which comes first: the
 * library knows one secret for cookies only.
 */
export function resignCookies(header: string, secrets: Secrets): string {
  const [current, ...earlier] = secrets ?? [];
  if (!current || earlier.length === 0) return header;
  return header
    .split(';')
    .map((pair) => {
      const [, name, value, signature] = SIGNED.exec(pair.trim()) ?? [];
      if (name === undefined || value === undefined || signature === undefined) return pair.trim();
      const text = decoded(value);
      const isEarlier = earlier.some((secret) => isSigned(text, signature, secret.value));
      return isEarlier
        ? `${name}=${encodeURIComponent(`${text}.${sign(text, current.value).toString('base64')}`)}`
        : pair.trim();
    })
    .join('; ');
}

/** Value and signature are percent-encoded, or not. */
const SIGNED = /^([\w.-]+)=([^;]+)\.((?:[A-Za-z0-9+/]|%2[bBfF]){43}(?:=|%3[dD]))$/;

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest();

function isSigned(text: string, signature: string, secret: string): boolean {
  const given = Buffer.from(decoded(signature), 'base64');
  const expected = sign(text, secret);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
