// Parsers of environment variables: each describes its values and reads them from a text.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { canariesIn } from '../domain/canary.ts';
import { emailAddress } from '../domain/email-address.ts';
import { keysIn } from '../platform/secret-key-file.ts';

export type Parser<Value> = {
  /** Ends the sentence "NAME is "…"; it takes …". */
  takes: string;
  /** What the sentence adds, and the documentation has no room for. */
  hint?: string;
  /** undefined: it cannot be that. */
  parse(text: string): Value | undefined;
};

export type HostPort = Readonly<{ host: string; port: number | null }>;

const ON = ['1', 'true', 'on', 'yes'];
const OFF = ['0', 'false', 'off', 'no'];
const MAKE_A_KEY = '; make one with: node -p "crypto.randomBytes(32).toString(\'base64\')"';
const KEY_LENGTH = 32;

export const anyText: Parser<string> = { takes: 'any text', parse: (text) => text };

export const folder: Parser<string> = { takes: 'the path of a folder', parse: (text) => resolve(text) };

export const onOff: Parser<boolean> = {
  takes: 'on or off',
  hint: ' (also 1, true, yes and 0, false, no)',
  parse(text) {
    if (ON.includes(text.toLowerCase())) return true;
    return OFF.includes(text.toLowerCase()) ? false : undefined;
  },
};

export const integer = (least: number, most: number): Parser<number> => ({
  takes: `a whole number from ${least} to ${most}`,
  parse: (text) => (/^\d+$/.test(text) && +text >= least && +text <= most ? +text : undefined),
});

/** A number, or a switch: on is 1 and off is 0. */
export const countOrSwitch = (most: number): Parser<number> => ({
  takes: `a whole number from 0 to ${most}, or on for 1`,
  parse(text) {
    const switched = onOff.parse(text);
    return switched === undefined ? integer(0, most).parse(text) : Number(switched);
  },
});

export const oneOf = <const Choice extends string>(...choices: readonly Choice[]): Parser<Choice> => ({
  takes: choices.join(', '),
  parse: (text) => choices.find((choice) => choice === text.toLowerCase()),
});

/** An absolute URL; a slash at its end is dropped. */
export const url = (...schemes: readonly string[]): Parser<string> => ({
  takes: `an address starting with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  parse: (text) =>
    schemes.includes(URL.parse(text)?.protocol.slice(0, -1) ?? '') ? text.replace(/\/+$/, '') : undefined,
});

/** Who issues the certificates of the edge: Caddy's own choice, Caddy itself, or an ACME directory by its URL. */
export type CertificateAuthority = 'public' | 'internal' | `https:${string}`;

export const certificateAuthority: Parser<CertificateAuthority> = {
  takes: 'public, internal, or the https:// address of an ACME directory',
  parse(text) {
    const chosen = oneOf('public', 'internal').parse(text);
    return chosen ?? (url('https').parse(text) === undefined ? undefined : (text as CertificateAuthority));
  },
};

/** An address that is called as it was given. */
export const wholeUrl: Parser<string> = {
  takes: url('http', 'https').takes,
  parse: (text) => (url('http', 'https').parse(text) === undefined ? undefined : text),
};

/** One to which paths are added. */
export const bareUrl: Parser<string> = {
  takes: `${url('http', 'https').takes}, without a query, a fragment or a user`,
  parse: (text) => (isBare(text) ? url('http', 'https').parse(text) : undefined),
};

/** Where the installation is: its pages and the interface begin at the root of a host, so there is no path to add to. */
export const origin: Parser<string> = {
  takes: `${url('http', 'https').takes}, without a path, a query, a fragment or a user`,
  parse(text) {
    const parsed = URL.parse(text);
    const isRoot = parsed !== null && /^\/*$/.test(parsed.pathname);
    return isRoot && bareUrl.parse(text) !== undefined ? parsed.origin : undefined;
  },
};

/** One or more of them. */
export const bareUrls: Parser<readonly string[]> = {
  takes: `${bareUrl.takes}; several separated by commas`,
  parse(text) {
    const entries = text.split(',').map((entry) => entry.trim());
    const parsed = entries.filter(Boolean).map((entry) => bareUrl.parse(entry));
    const known = [...new Set(parsed)].filter((entry) => entry !== undefined);
    return known.length === 0 || parsed.includes(undefined) ? undefined : Object.freeze(known);
  },
};

/** The issuer of an OIDC provider, as it was given: some end with a slash, and it must be the same to the letter. */
export const issuer: Parser<string> = {
  takes:
    'an address starting with https:// (http:// only on this machine), without a query, a fragment or a user',
  hint: ': passwords and tokens travel over it',
  parse(text) {
    const { protocol, hostname } = URL.parse(text) ?? {};
    const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname ?? '');
    return isBare(text) && (protocol === 'https:' || (protocol === 'http:' && isLocal)) ? text : undefined;
  },
};

export const mailAddress: Parser<string> = {
  takes: 'a mail address',
  parse: (text) => (emailAddress(text) === null ? undefined : text),
};

/** As mail programs write one: with a name before it, if one likes. */
export const sender: Parser<string> = {
  takes: 'a mail address, or a name with one in angle brackets',
  parse: (text) => (text.includes('@') ? text : undefined),
};

export const password = (least: number): Parser<string> => ({
  takes: `at least ${least} characters`,
  parse: (text) => (text.length >= least ? text : undefined),
});

export const secretKey: Parser<string> = { ...password(KEY_LENGTH), hint: MAKE_A_KEY };

export const secretKeys: Parser<readonly string[]> = {
  takes: `one key a line, the newest first, each of at least ${KEY_LENGTH} characters`,
  parse(text) {
    const keys = keysIn(text);
    return keys.every((key) => key.length >= KEY_LENGTH) ? Object.freeze(keys) : undefined;
  },
};

export const hostName: Parser<string> = {
  takes: 'a host name',
  parse: (text) => (isHost(text) ? text.toLowerCase() : undefined),
};

/** Where a server listens: what Node takes and an address can be made of. IPv6 may be in brackets, as in addresses. */
export const listenHost: Parser<string> = {
  takes: 'an IP address or a host name',
  parse(text) {
    const host = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
    if (isIP(host) === 6) return URL.canParse(`http://[${host}]`) ? host : undefined;
    return host === text && isHost(host) && URL.canParse(`http://${host}`) ? host : undefined;
  },
};

/** IPv6 in brackets where a port follows. */
export const hostPorts: Parser<readonly HostPort[]> = {
  takes: 'host or host:port, separated by commas',
  parse(text) {
    const entries = text.split(',').map((entry) => entry.trim());
    const parsed = entries.filter(Boolean).map(hostPortIn);
    return parsed.includes(undefined) ? undefined : Object.freeze(parsed.filter((entry) => !!entry));
  },
};

/** Servers that names are asked from: a name among them would have to be asked from somebody first. */
export const nameServers: Parser<readonly HostPort[]> = {
  takes: 'IP address or address:port, separated by commas',
  parse(text) {
    const servers = hostPorts.parse(text);
    return servers?.every(({ host }) => isIP(host) !== 0) ? servers : undefined;
  },
};

export const canaries: Parser<readonly string[]> = {
  takes: 'none, or host:port, separated by commas, ten at most',
  parse(text) {
    const names = canariesIn(text);
    return names && Object.freeze(names);
  },
};

function isBare(text: string): boolean {
  const { search, hash, username, password } = URL.parse(text) ?? {};
  return !search && !hash && !username && !password;
}

function hostPortIn(entry: string): HostPort | undefined {
  if (isIP(entry) === 6) return Object.freeze({ host: entry, port: null });
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? null : Number(digits);
  if (!host || (bracketed ? isIP(bracketed) !== 6 : !isHost(host))) return undefined;
  if (port !== null && (port < 1 || port > 65535)) return undefined;
  return Object.freeze({ host: host.toLowerCase(), port });
}

function isHost(text: string): boolean {
  return (
    /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(text) &&
    text.length <= 253
  );
}
