// Parses pasted lines as monitors: an address alone, or name, address and tags separated by commas. Pure.
import { readPastedAddress } from '#src/domain/pasted-address.ts';
import { checkUrl } from '#src/domain/target.ts';
import type { MonitorCreate } from '#src/monitors/contract.ts';
import type { Problem } from '../types/type-form.ts';
import { TYPES } from '../types.ts';

/** The type for a host without scheme and port. */
export type BareHost = 'http' | 'ping';

export type ImportLine = {
  /** Line number, from 1. */
  no: number;
  text: string;
  /** The monitor's input; null: the line has no valid address. */
  monitor: (MonitorCreate & { config: Record<string, unknown> }) | null;
  problem: Problem | null;
  /** The number of an earlier line with the same target. */
  sameAs: number | null;
};

// An installation may allow single-label names, so only the server refuses them.
const ANY = { allowSingleLabel: true };
const LONGEST_NAME = 200;
const MAX_TAGS = 20;

/** The lines with content: no blank lines, comments or table headings. */
export function readLines(text: string, bare: BareHost): ImportLine[] {
  const first = new Map<string, number>();
  return text.split(/\r\n|\n|\r/).flatMap((raw, at) => {
    const line = raw.replace(/^\uFEFF/, '').trim();
    if (line === '' || line.startsWith('#')) return [];
    const fields = fieldsOf(line);
    if (at === 0 && isHeading(fields)) return [];
    const read = { no: at + 1, text: line, sameAs: null, ...monitorOf(fields, bare) };
    if (read.monitor === null) return [read];
    const key = targetKeyOf(read.monitor);
    const sameAs = first.get(key) ?? null;
    if (sameAs === null) first.set(key, read.no);
    return [{ ...read, sameAs }];
  });
}

/** The address of a monitor: its URL, host or host:port. */
export function addressOf({ url, host, port }: Record<string, unknown>): string {
  const shown = String(host).includes(':') ? `[${host}]` : host;
  return String(url ?? (port === undefined ? host : `${shown}:${port}`));
}

/** The target that the list of monitors would show: equal ones are duplicates. */
export const targetKeyOf = ({ type, config }: { type: string; config: Record<string, unknown> }): string =>
  sameTarget(type, addressOf(config));

/** The same key for an existing monitor. */
export const sameTarget = (type: string, target: string): string =>
  `${type} ${URL.parse(target)?.href ?? target.toLowerCase()}`;

const HEADINGS = new Set(['name', 'address', 'url', 'host', 'target', 'tags', 'tag']);
const isHeading = (fields: readonly string[]) => fields.every((field) => HEADINGS.has(field.toLowerCase()));

/** The fields of a CSV line (RFC 4180), separated by the first of comma, semicolon or tab in it. */
function fieldsOf(line: string): string[] {
  const outside = line.replace(/"(?:[^"]|"")*"/g, '');
  const separator = ['\t', ',', ';'].find((each) => outside.includes(each));
  if (separator === undefined) return [unquoted(line)];
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) {
      fields.push(unquoted(field));
      field = '';
    } else field += character;
  }
  return [...fields, unquoted(field)];
}

function unquoted(field: string): string {
  const text = field.trim();
  return /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}

type Read = Pick<ImportLine, 'monitor' | 'problem'>;

function monitorOf(fields: readonly string[], bare: BareHost): Read {
  const [first = '', second] = fields;
  if (second === undefined) return named('', first, [], bare);
  // Accepts "address, tag" as well as "name, address, tag".
  const asAddress = targetOf(first, bare);
  const isAddress = 'config' in asAddress && isAddressLike(first);
  if (isAddress && !isAddressLike(second)) return named('', first, fields.slice(1), bare);
  return named(first, second, fields.slice(2), bare);
}

const isAddressLike = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^\S*[.:]\S*$/.test(text);

function named(name: string, address: string, rest: readonly string[], bare: BareHost): Read {
  const target = targetOf(address, bare);
  if (!('config' in target)) return { monitor: null, problem: target };
  const tags = [
    ...new Set(
      rest
        .flatMap((field) => field.split(/[;|]/))
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
  if (name.length > LONGEST_NAME)
    return { monitor: null, problem: { key: 'importing.longName', values: { most: LONGEST_NAME } } };
  if (tags.length > MAX_TAGS)
    return { monitor: null, problem: { key: 'importing.manyTags', values: { most: MAX_TAGS } } };
  return {
    monitor: {
      name: name === '' ? target.name.slice(0, LONGEST_NAME) : name,
      type: target.type,
      config: target.config,
      ...(tags.length === 0 ? {} : { tags }),
    },
    problem: null,
  };
}

type Target = { type: string; config: Record<string, unknown>; name: string };

function targetOf(text: string, bare: BareHost): Target | Problem {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const ofScheme = Object.entries(TYPES).find(([, { schemes }]) => scheme && schemes?.includes(scheme));
  if (ofScheme) {
    const [type, { schemes = [] }] = ofScheme;
    const checked = checkUrl(text, { schemes, ...ANY });
    if (!checked.ok) return { key: `errors.reasons.${checked.reason}` };
    if (checked.url.username !== '' || checked.url.password !== '') return { key: 'importing.signIn' };
    return { type, config: { url: text }, name: nameOf(checked.url) };
  }
  if (scheme !== undefined && scheme !== 'tcp') return { key: 'importing.scheme', values: { scheme } };
  const read = readPastedAddress(
    scheme === 'tcp' ? text.slice('tcp://'.length).replace(/\/$/, '') : text,
    ANY,
  );
  if (!read.ok) return { key: `errors.reasons.${read.reason}` };
  const { host, port, url } = read;
  const shown = host.includes(':') ? `[${host}]` : host;
  if (url !== null && scheme !== 'tcp') return { type: 'http', config: { url }, name: nameOf(new URL(url)) };
  if (port !== null) return { type: 'tcp', config: { host, port }, name: `${shown}:${port}` };
  if (scheme === 'tcp') return { key: 'importing.noPort' };
  return bare === 'ping'
    ? { type: 'ping', config: { host }, name: host }
    : { type: 'http', config: { url: `https://${shown}/` }, name: host };
}

const nameOf = ({ host, pathname }: URL) => `${host}${pathname === '/' ? '' : pathname}`;
