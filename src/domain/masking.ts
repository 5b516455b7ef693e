// Takes credentials out of foreign text before it leaves a probe (docs/security.md#what-a-target-answered): the secrets that
// the check itself sent, what is named like a secret, what has the shape of one, and what looks random. When in doubt it masks.
// Pure, and linear in the length of the text: targets choose what stands in it.

/** Stands for what was masked. */
export const MASK = '••••';

/** Of a name: a field, a header, a parameter. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)?(?![a-z])|passw|pwd|secret|token|api[-_.]?key|(?:access|private|encryption|signing|shared|account|master)[-_.]?key|auth(?!or(?!iz))|credential|sess(?:ion)?[-_.]?id|session|cookie|jwt|bearer|signature|x-amz-security|csrf|xsrf|\botp\b|\bpin\b|^sid$|^sig$|^key$|_key$|-key$|connection[-_.]?string|dsn$/i;

/** Header names that look like a secret's and hold none: what a server asks for, or allows. */
const HARMLESS_HEADERS =
  /^(?:www-authenticate|proxy-authenticate|access-control-.*|content-security-policy.*|x-content-type-options|sec-websocket-key|permissions-policy)$/i;

/** Headers whose values look random but are no credentials: versions, request ids, locations. */
const RANDOM_HEADERS =
  /^(?:etag|if-none-match|last-modified|traceparent|tracestate|b3|.*(?:request|correlation|trace|transaction|invocation)-?id|cf-ray|x-amz-(?:cf-)?id(?:-2)?|x-vercel-id|x-served-by|x-cache.*|via|content-(?:md5|digest|security-policy.*)|repr-digest|nel|report-to)$/i;

const BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}KEY[A-Z0-9 ]{0,20}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g;
const JWT = /\beyJ[\w-]{6,}(?:\.[\w-]*){0,4}/g;
const SCHEME =
  /\b(Bearer|Basic|Digest|Negotiate|NTLM|Token|ApiKey|Hawk|AWS4-HMAC-SHA256)([ \t]+)(?!realm\b)[\w+/=.~:-]{4,}(?![\w+/=.~:"'-])/gi;
const USER_INFO = /(:\/\/)[^\s/@"'<>\\]{1,512}@/g;
/** Cookies and authorizations in a dump of a request: all of the line. */
const LINE =
  /(?<![\w-])((?:set-cookie2?|cookie|(?:proxy-)?authorization)\\?["']?\s{0,4}(?::|=>?)\s{0,4})[^\r\n<>]{1,4096}/gi;
const TAG = /<(?:input|meta)\b[^<>]{0,1000}/gi;
const TAG_NAME = /\b(?:name|id|property)\s{0,3}=\s{0,3}["']?([^"'\s<>]{1,100})/i;
const TAG_VALUE = /\b((?:value|content)\s{0,3}=\s{0,3})("[^"]*"?|'[^']*'?|[^\s"'<>]+)/gi;
const ELEMENT = /<([A-Za-z][\w:.-]{0,80})(?:\s[^<>]{0,300})?>([^<]{1,4096})/g;
const CELL =
  /(<(?:td|th|dt)\b[^<>]{0,200}>\s{0,20})([^<>]{1,100})(<\/(?:td|th|dt)>\s{0,20}<(?:td|dd)\b[^<>]{0,200}>(?:\s{0,20}<[a-z][^<>]{0,200}>){0,3})([^<]{1,4096})/gi;
/** `name: value`, `"name": "value"`, `name=value`, `'name' => 'value'`, in JSON inside JSON too: up to the value. */
const FIELD = /(?<![\w.[\]-])([\w.[\]-]{1,100})\\{0,3}["']?\s{0,8}(?:=>|[:=])\s{0,8}/g;
const VALUE = /\\{1,3}"[^"\\]*(?:\\{1,3}")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s"'<>&;,}\]\\]+/y;
/** In the address of a link, where a name may be short. */
const PARAMETER =
  /([?&#;](?:amp;)?(?:code|state|sig|signature|key|k|t|token|auth|ticket|pw|hash|hmac|nonce|assertion|samlresponse|sid|otp)=)[^\s"'<>&#;]+/gi;
const PREFIXED =
  /(?<![A-Za-z0-9])(?:A(?:KIA|SIA)[A-Z0-9]{8,}|(?:gh[pousr]_|github_pat_|gl(?:pat|dt|cbt)-|xox[a-z]-|xapp-|[spr]k_(?:live|test)_|sk-|AIza|ya29\.|npm_|pypi-|dop_v1_|SG\.|hf_|shp(?:at|ss|ca)_|whsec_|tcn_|age-secret-key-1|AccountKey=|hvs\.|dapi|eyJ)[\w.+/=-]{8,})/gi;
const SLACK_OR_DISCORD =
  /((?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]+/gi;

/** A run of characters that tokens are made of. */
const RUN = /[A-Za-z0-9+/_=~-]{20,}/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MIN_HEX = 32;
/** The share of neighbouring characters that switch between capitals, small letters and digits. */
const RANDOM_IN_CAPITALS_AND_SMALL = 0.36;
const RANDOM_IN_ONE_CASE = 0.25;

/** Shorter secrets would match ordinary text. */
const MIN_KNOWN = 4;

/**
 * The forms in which a target may give back what it was sent: as it is, as JSON, as part of an address, in Base64, and as
 * HTML. Longest first.
 */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_KNOWN) continue;
    const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    forms.add(secret).add(JSON.stringify(secret).slice(1, -1)).add(base64Of(secret));
    forms.add(encodeURIComponent(secret.toWellFormed())).add(escaped).add(escaped.replaceAll('"', '&quot;'));
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** The text without credentials; `known`: forms of the secrets that are known (`formsOf`). */
export function maskText(text: string, known: readonly string[] = []): string {
  return maskRandom(maskShapes(text, known));
}

/** The value of a header without credentials. */
export function maskHeader(name: string, value: string, known: readonly string[] = []): string {
  if (isSecretName(name) && !HARMLESS_HEADERS.test(name)) return value === '' ? '' : MASK;
  return RANDOM_HEADERS.test(name) ? maskShapes(value, known) : maskText(value, known);
}

/** A name of an error names no value. */
const isSecretName = (name: string) => SECRET_NAME.test(name) && !/(?:exception|error)s?$/i.test(name);

function maskShapes(text: string, known: readonly string[]): string {
  let masked = text;
  for (const secret of known) masked = masked.replaceAll(secret, MASK);
  masked = masked
    .replace(BLOCK, MASK)
    .replace(JWT, MASK)
    .replace(LINE, (_, before: string) => `${before}${MASK}`)
    .replace(SCHEME, (_, scheme: string, blank: string) => `${scheme}${blank}${MASK}`)
    .replace(USER_INFO, (_, before: string) => `${before}${MASK}@`)
    .replace(SLACK_OR_DISCORD, (_, before: string) => `${before}${MASK}`)
    .replace(TAG, (tag) =>
      isSecretName(TAG_NAME.exec(tag)?.[1] ?? '')
        ? tag.replace(TAG_VALUE, (_, before: string, value: string) => `${before}${quoted(value)}`)
        : tag,
    )
    .replace(CELL, (cell, open: string, name: string, between: string) =>
      isSecretName(name.trim()) ? `${open}${name}${between}${MASK}` : cell,
    )
    .replace(ELEMENT, (element, name: string, value: string) =>
      isSecretName(name) ? `${element.slice(0, -value.length)}${MASK}` : element,
    );
  return maskFields(masked)
    .replace(PARAMETER, (_, before: string) => `${before}${MASK}`)
    .replace(PREFIXED, MASK);
}

/** Only the value of a secret is passed over: that of any other field may have fields in it. */
function maskFields(text: string): string {
  let masked = '';
  let done = 0;
  FIELD.lastIndex = 0;
  for (let field = FIELD.exec(text); field !== null; field = FIELD.exec(text)) {
    if (!isSecretName(field[1] ?? '')) continue;
    VALUE.lastIndex = FIELD.lastIndex;
    const [value] = VALUE.exec(text) ?? [];
    if (value === undefined || isHarmless(value)) continue;
    masked += `${text.slice(done, FIELD.lastIndex)}${quoted(value)}`;
    done = VALUE.lastIndex;
    FIELD.lastIndex = done;
  }
  return masked + text.slice(done);
}

/** The mask in the quotes of the value. */
function quoted(value: string): string {
  const quote = /^\\*["']/.exec(value)?.[0] ?? '';
  return `${quote}${MASK}${value.length > quote.length && value.endsWith(quote) ? quote : ''}`;
}

/** A literal for "no value", or another mask. */
const isHarmless = (value: string) => /^["'\\]*(?:null|nil|none|undefined|true|false|)["'\\]*$/i.test(value);

function maskRandom(text: string): string {
  return text.replace(RUN, (run) => (seemsRandom(run) ? MASK : run));
}

/** Whether a run of characters looks machine-made: a token, a hash, Base64. */
function seemsRandom(run: string): boolean {
  if (UUID.test(run)) return false;
  // An address is judged by its longest part; Base64 has a slash now and then.
  const parts = run.split('/');
  const longest = parts.reduce((a, b) => (b.length > a.length ? b : a));
  return isRandom(longest) || (parts.length <= 1 + run.length / 16 && isRandom(run));
}

function isRandom(text: string): boolean {
  if (UUID.test(text)) return false;
  const signs = text.replace(/[^A-Za-z0-9]/g, '');
  if (signs.length < 20) return false;
  const digits = /\d/.test(signs);
  if (signs.length >= MIN_HEX && /^[0-9a-f]+$/i.test(signs) && digits && /[a-f]/i.test(signs)) return true;
  const mixed = /[a-z]/.test(signs) && /[A-Z]/.test(signs);
  if (!digits && !mixed) return false;
  let changes = 0;
  for (let at = 1; at < signs.length; at += 1) if (kindAt(signs, at) !== kindAt(signs, at - 1)) changes += 1;
  const share = changes / (signs.length - 1);
  return share >= (mixed ? RANDOM_IN_CAPITALS_AND_SMALL : RANDOM_IN_ONE_CASE);
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 58 ? 0 : code < 91 ? 1 : 2;
}

/** Base64 of the UTF-8 of a text; the core knows no Buffer. */
function base64Of(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
