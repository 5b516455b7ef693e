// Headers of a check: of HTTP, of the opening request of a WebSocket, and gRPC metadata (docs/rules/monitor-types.md#headers).
import { invalidConfig } from './rules.ts';

/** Headers that belong to the connection, or that the check sets itself. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 9110 forbids exactly these in a field value.
const FIELD_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;

/** Whether it is an RFC 9110 token: the name of a header, a WebSocket subprotocol. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/**
 * Refuses names and values that cannot be sent. `field` is the path of the record (config.headers); `belongs` returns whether a
 * further name, in lower case, is not the user's to set.
 */
export function checkHeaders(
  headers: Record<string, string>,
  field: string,
  belongs: (lowerName: string) => boolean = () => false,
): void {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const path = `${field}.${name}`;
    const lower = name.toLowerCase();
    if (!isToken(name)) invalidConfig(path, 'is not a header name');
    if (OF_THE_CONNECTION.has(lower) || belongs(lower))
      invalidConfig(path, 'belongs to the connection and cannot be set');
    if (seen.has(lower)) invalidConfig(path, 'is given twice');
    if (!FIELD_VALUE.test(value) || !isLatin1(value))
      invalidConfig(path, 'has a character that a header cannot carry');
    seen.add(lower);
  }
}

/**
 * Paths of the headers to seal, of a config that has not been validated: the well-known ones and those `listed`. `at` is the
 * name of the record in the config.
 */
export function secretHeaders(at: string, headers: unknown, listed: unknown): string[][] {
  const named = new Set(Array.isArray(listed) ? listed.map((name) => String(name).toLowerCase()) : []);
  return Object.keys(isObject(headers) ? headers : {})
    .filter((name) => SECRET_HEADERS.has(name.toLowerCase()) || named.has(name.toLowerCase()))
    .map((name) => [at, name]);
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is Latin-1 itself.
const isLatin1 = (text: string) => /^[\u0000-\u00ff]*$/.test(text);
