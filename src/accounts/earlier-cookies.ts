// Cookies that were signed before SECRET_KEY was rotated: the sign-in library knows one secret for cookies only, so they
// reach it signed under that one.
import { createHmac, timingSafeEqual } from 'node:crypto';

type Secrets = readonly { value: string }[] | undefined;

/** A Cookie header whose cookies signed under an earlier secret are signed under the one in force, which comes first. */
export function underSecretInForce(header: string, secrets: Secrets): string {
  const [current, ...earlier] = secrets ?? [];
  if (!current || earlier.length === 0) return header;
  return header
    .split(';')
    .map((pair) => {
      const [, name, value, signature] = SIGNED.exec(pair.trim()) ?? [];
      if (name === undefined || value === undefined || signature === undefined) return pair.trim();
      const text = decoded(value);
      const given = Buffer.from(decoded(signature), 'base64');
      const isEarlier = earlier.some((secret) => {
        const expected = sign(text, secret.value);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return isEarlier
        ? `${name}=${encodeURIComponent(`${text}.${sign(text, current.value).toString('base64')}`)}`
        : pair.trim();
    })
    .join('; ');
}

/** name=value.signature, the signature being the base64 of a SHA-256; both percent-encoded, or not. */
const SIGNED = /^([\w.-]+)=([^;]+)\.((?:[A-Za-z0-9+/]|%2[bBfF]){43}(?:=|%3[dD]))$/;

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
