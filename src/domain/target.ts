// Browser-safe. Validates the targets of checks (docs/rules/monitor-types.md#targets).
import ipaddr from 'ipaddr.js';
import type { InvalidTargetReason } from './names.ts';

export type TargetRefusal = { ok: false; reason: InvalidTargetReason };

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const BLANK_OR_CONTROL = /[\s\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060\ufeff]/;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
// Host names must not contain underscores, yet such names exist and are checked (_dmarc, Docker services).
const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

/**
 * Checks a URL. `schemes` without colon (['http', 'https']); `allowSingleLabel` admits names such as `localhost`.
 * One reason per input, the first that applies of: missing (no string, or blank) · whitespace (anywhere, also control
 * characters) · too_long (over 2048 characters) · unsupported_scheme (also none) · scheme_in_host (a second `x://`) ·
 * no_host · port_range (not 1 to 65535) · then the host as in `checkHost`. IP literals are hosts, in every spelling
 * WHATWG knows; the returned URL has them normalised, and names in punycode. User and password in it are not judged here.
 */
export function checkUrl(
  value: unknown,
  { schemes, allowSingleLabel }: { schemes: readonly string[]; allowSingleLabel: boolean },
): { ok: true; url: URL } | TargetRefusal {
  if (typeof value !== 'string' || value.trim() === '') return refuse('missing');
  if (BLANK_OR_CONTROL.test(value)) return refuse('whitespace');
  if (value.length > MAX_URL_LENGTH) return refuse('too_long');
  const scheme = SCHEME.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined || !schemes.includes(scheme)) return refuse('unsupported_scheme');
  const rest = value.slice(scheme.length + 1);
  if (/^\/\/[a-z][a-z0-9+.-]*:\/\//i.test(rest)) return refuse('scheme_in_host');
  // WHATWG would read `http:///a` and `http:a` as `http://a`: the author left the host out.
  const authority = /^\/\/([^/?#\\]*)/.exec(rest)?.[1] ?? '';
  const address = authority.slice(authority.lastIndexOf('@') + 1);
  const { host, port } = splitPort(address);
  if (host === '') return refuse('no_host');
  if (port !== null && port !== '' && !isPort(port)) return refuse('port_range');
  const judged = judgeHost(host, allowSingleLabel);
  if (!judged.ok) return judged;
  const url = URL.parse(value);
  return url === null ? refuse('malformed_label') : { ok: true, url };
}

/**
 * Checks a host: a name or an IP literal (IPv6 with or without brackets), no port. Answers the normalised host: lower
 * case, punycode, IPv4 dotted, IPv6 without brackets. One reason per input, the first that applies of: missing ·
 * whitespace · scheme_in_host (`://`) · path_in_host (`/`, `\`, `?` or `#`) · no_host (only a port) · malformed_label
 * (also a port behind the name, a user before it, a broken IP literal) · too_long (a label over 63 or a name over 253
 * characters, after punycode) · needs_two_labels.
 */
export function checkHost(
  value: unknown,
  { allowSingleLabel }: { allowSingleLabel: boolean },
): { ok: true; host: string } | TargetRefusal {
  if (typeof value !== 'string' || value.trim() === '') return refuse('missing');
  if (BLANK_OR_CONTROL.test(value)) return refuse('whitespace');
  if (value.includes('://')) return refuse('scheme_in_host');
  if (/[/\\?#]/.test(value)) return refuse('path_in_host');
  if (ipaddr.IPv6.isValid(value) && !value.includes('%')) return judgeHost(`[${value}]`, allowSingleLabel);
  if (/^:\d*$/.test(value)) return refuse('no_host');
  return judgeHost(value, allowSingleLabel);
}

/** Whether a host is an IP literal, in any of the spellings that `checkHost` accepts. */
export function isAddress(value: unknown): boolean {
  const checked = checkHost(value, { allowSingleLabel: true });
  return checked.ok && ipaddr.isValid(checked.host);
}

/** Checks a port: a whole number from 1 to 65535 (`port_range`), null and undefined are `missing`. */
export function checkPort(value: unknown): { ok: true; port: number } | TargetRefusal {
  if (value === undefined || value === null) return refuse('missing');
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 65_535)
    return refuse('port_range');
  return { ok: true, port: value };
}

/** The sentence of an `invalid_target` refusal; `field` is the path of the field (config.url). */
export function targetSentence(
  field: string,
  reason: InvalidTargetReason,
  schemes: readonly string[] = [],
): string {
  return {
    missing: `${field} is missing.`,
    whitespace: `${field} must not contain spaces, line breaks or control characters.`,
    scheme_in_host: `${field} has a scheme where the host should be: give the host alone.`,
    path_in_host: `${field} has a path where only a host belongs: leave out everything from the slash on.`,
    malformed_label: `${field} is not a valid host name or IP address.`,
    too_long: `${field} is too long: a URL may have 2048 characters, a host name 253, each of its labels 63.`,
    unsupported_scheme: `${field} must begin with ${schemes.map((s) => `${s}://`).join(' or ') || 'a supported scheme'}.`,
    no_host: `${field} names no host.`,
    needs_two_labels: `${field} must be a full name with a dot in it (such as example.com) or an IP address.`,
    port_range: `${field} must have a port from 1 to 65535.`,
  }[reason];
}

function judgeHost(raw: string, allowSingleLabel: boolean): { ok: true; host: string } | TargetRefusal {
  if (/[:@]/.test(raw) && !/^\[[^\]]*\]$/.test(raw)) return refuse('malformed_label');
  // Only the URL parser knows IDN and every spelling of an IPv4 address; it applies them to http.
  const normalised = URL.parse(`http://${raw}/`)?.hostname;
  if (normalised === undefined) return refuse(raw.length > MAX_NAME_LENGTH ? 'too_long' : 'malformed_label');
  if (normalised.startsWith('[')) return { ok: true, host: normalised.slice(1, -1) };
  if (ipaddr.IPv4.isValidFourPartDecimal(normalised)) return { ok: true, host: normalised };
  const labels = normalised.replace(/\.$/, '').split('.');
  if (labels.some((label) => label.length <= MAX_LABEL_LENGTH && !LABEL.test(label)))
    return refuse('malformed_label');
  if (labels.some((label) => label.length > MAX_LABEL_LENGTH)) return refuse('too_long');
  if (labels.join('.').length > MAX_NAME_LENGTH) return refuse('too_long');
  if (labels.length < 2 && !allowSingleLabel) return refuse('needs_two_labels');
  return { ok: true, host: normalised };
}

/** `[::1]:80` → `[::1]` and `80`; more than one colon without brackets stays in the host, where it is refused. */
function splitPort(address: string): { host: string; port: string | null } {
  const match = /^(\[[^\]]*\]|[^:]*):([^:]*)$/.exec(address);
  return match === null ? { host: address, port: null } : { host: match[1] ?? '', port: match[2] ?? '' };
}

function isPort(text: string): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function refuse(reason: InvalidTargetReason): TargetRefusal {
  return { ok: false, reason };
}
