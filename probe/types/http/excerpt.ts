import { decoded } from '#probe/charset.ts';
import type { ResponseExcerpt } from '#src/capsules/response-contract.ts';
import { formsOf, maskHeader, maskText } from '#src/domain/masking.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Beginning } from './beginning.ts';
import { unpackBeginning } from './unpack.ts';

const MAX_HEADERS = 64;
const NAME_CHARACTERS = 200;
const VALUE_CHARACTERS = 512;
/** The text that is masked is longer than the excerpt by this factor; the excerpt is cut out of it afterwards. */
const WINDOW_FACTOR = 1.25;
/** Parts of a secret header shorter than this may be ordinary words, such as the name of a scheme. */
const MIN_FRACTION = 8;
/** The largest share of undecodable characters in a text. */
const MAX_UNREADABLE = 0.05;

/** Limits of an excerpt: bytes of the body, and whether the response of a private target may be kept. */
export type Keep = { bodyBytes: number; privateToo: boolean; isPrivate: boolean };

/** The response without credentials, as it may leave the probe (docs/security.md#what-a-target-answered). */
export async function excerptOf(
  { status, rawHeaders, chunks, complete }: Beginning,
  config: HttpConfig,
  { bodyBytes, privateToo, isPrivate }: Keep,
): Promise<ResponseExcerpt> {
  const base = { status_code: status, private: isPrivate };
  if (isPrivate && !privateToo)
    return { ...base, headers: [], body: null, body_kind: 'unread', truncated: false, withheld: true };
  const known = formsOf(secretsOf(config));
  const headers: ResponseExcerpt['headers'] = [];
  for (let at = 0; at + 1 < rawHeaders.length && headers.length < MAX_HEADERS; at += 2) {
    const name = plain(rawHeaders[at] ?? '').slice(0, NAME_CHARACTERS);
    const value = maskHeader(name, plain(rawHeaders[at + 1] ?? ''), known);
    headers.push({ name: maskText(name, known).slice(0, NAME_CHARACTERS), value: shortened(value) });
  }
  const rest = { headers, withheld: false };
  const header = (wanted: string) => headerOf(rawHeaders, wanted);
  const sent = Buffer.concat(chunks);
  if (sent.length === 0)
    return { ...base, ...rest, body: null, body_kind: complete ? 'empty' : 'unread', truncated: false };
  const most = Math.ceil(bodyBytes * WINDOW_FACTOR);
  const unpacked = await unpackBeginning(sent, header('content-encoding'), most);
  const text =
    unpacked === null || !mayBeText(header('content-type'))
      ? null
      : textOf(unpacked.bytes, header('content-type'));
  if (text === null) return { ...base, ...rest, body: null, body_kind: 'binary', truncated: !complete };
  const isWhole = complete && unpacked?.complete === true;
  const masked = maskText(isWhole ? text : withoutLastWord(text), known);
  const body = firstBytes(masked, bodyBytes);
  return { ...base, ...rest, body, body_kind: 'text', truncated: !isWhole || body.length < masked.length };
}

/** The secrets that the check sends, which a target may echo. */
export function secretsOf({ auth, headers, secret_headers, url, tls }: HttpConfig): string[] {
  const secrets: string[] = [];
  if (auth?.kind === 'bearer') secrets.push(auth.token);
  if (auth?.kind === 'basic')
    secrets.push(auth.password, Buffer.from(`${auth.username}:${auth.password}`).toString('base64'));
  const named = new Set(['authorization', 'cookie', 'proxy-authorization', ...secret_headers.map(lowered)]);
  for (const [name, value] of Object.entries(headers)) {
    if (!named.has(lowered(name))) continue;
    // Parts of a scheme and of cookies count too: a target may echo only those.
    const parts = value.split(/[;,\s]+/).map((part) => part.replace(/^[\w.-]+=(?=.)/, ''));
    secrets.push(value, ...parts.filter((part) => part.length >= MIN_FRACTION));
  }
  const { password = '' } = URL.parse(url) ?? {};
  if (password !== '') secrets.push(password, decodeURIComponent(password));
  if (tls.client_key_pem)
    secrets.push(...tls.client_key_pem.split(/\r?\n/).filter((line) => line.length > 20));
  return secrets;
}

const lowered = (name: string) => name.toLowerCase();

function headerOf(rawHeaders: readonly string[], wanted: string): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && lowered(name) === wanted);
  return at === -1 ? undefined : rawHeaders[at + 1];
}

const shortened = (value: string) =>
  value.length <= VALUE_CHARACTERS ? value : `${value.slice(0, VALUE_CHARACTERS - 1)}…`;

/** A body declared as binary is not read. */
const mayBeText = (contentType: string | undefined) =>
  contentType === undefined ||
  !/^\s*(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|pdf|zip|gzip|x-(?:gzip|tar)|wasm|grpc|protobuf|x-protobuf))/i.test(
    contentType,
  );

/** The text of a body; null if its bytes are not valid in its charset. */
function textOf(bytes: Buffer, contentType: string | undefined): string | null {
  const text = decoded(bytes, /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1]);
  const unreadable = text.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0;
  return unreadable > 2 + text.length * MAX_UNREADABLE ? null : plainLines(text);
}

/** One line without control characters, direction marks and invisible characters. */
const plain = (text: string) =>
  plainLines(text)
    .replace(/[\t\n]+/g, ' ')
    .toWellFormed();

const plainLines = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu, '\ufffd')
    .toWellFormed();

/** Drops the last word, which may be the first half of a credential. */
const withoutLastWord = (text: string) => text.replace(/[^\s"'<>&;,]{0,512}$/, '');

/** As many characters as fit into the bytes. */
function firstBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= bytes) return text;
  let end = bytes;
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.subarray(0, end).toString('utf8');
}
