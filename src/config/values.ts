// Reading one environment variable as what it must be. A bad value adds a sentence and reads as absent, so that all
// problems are found in one start.
import { isIP } from 'node:net';
import { SECRETS, type Variable } from './names.ts';

const ON = ['1', 'true', 'on', 'yes'];
const OFF = ['0', 'false', 'off', 'no'];

export class Problems {
  readonly list: string[] = [];

  add(sentence: string): void {
    this.list.push(sentence);
  }
}

type HostPort = Readonly<{ host: string; port: number | null }>;

export type Reader = ReturnType<typeof readers>;

/** Readers over one environment; an empty value counts as absent (compose files pass unset variables so). */
export function readers(
  env: Readonly<Record<string, string | undefined>>,
  problems: Problems,
  readFile: (path: string) => string,
) {
  const plain = (name: string): string | null => env[name]?.trim() || null;

  function secret(name: Variable): string | null {
    const direct = plain(name);
    const path = plain(`${name}_FILE`);
    if (path === null) return direct;
    if (direct !== null) {
      problems.add(`${name} and ${name}_FILE are both given; keep one of them.`);
      return null;
    }
    try {
      const text = readFile(path).trim();
      if (text === '') problems.add(`${name}_FILE names ${path}, which is empty.`);
      return text || null;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      problems.add(`${name}_FILE names ${path}, which cannot be read (${code}).`);
      return null;
    }
  }

  function text(name: Variable): string | null {
    return SECRETS.includes(name) ? secret(name) : plain(name);
  }

  function onOff(name: Variable): boolean | null {
    const value = plain(name)?.toLowerCase() ?? null;
    if (value === null) return null;
    if (ON.includes(value)) return true;
    if (OFF.includes(value)) return false;
    problems.add(`${name} is "${value}"; it takes ${ON.join(', ')} or ${OFF.join(', ')}.`);
    return null;
  }

  function integer(name: Variable, least: number, most: number): number | null {
    const value = plain(name);
    if (value === null) return null;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    problems.add(`${name} is "${value}"; it takes a whole number from ${least} to ${most}.`);
    return null;
  }

  return {
    text,
    secret,
    onOff,
    integer,

    switchOrCount(name: Variable, most: number): number | null {
      const value = plain(name)?.toLowerCase();
      if (value !== undefined && [...ON, ...OFF].includes(value)) return onOff(name) ? 1 : 0;
      return integer(name, 0, most);
    },

    oneOf<const Choice extends string>(name: Variable, choices: readonly Choice[]): Choice | null {
      const value = plain(name);
      if (value === null) return null;
      const choice = choices.find((candidate) => candidate === value.toLowerCase());
      if (!choice) problems.add(`${name} is "${value}"; it takes ${choices.join(', ')}.`);
      return choice ?? null;
    },

    /** An absolute URL of one of `schemes`, without a slash at the end; `bare`: without a query and user. */
    url(
      name: Variable,
      schemes: readonly string[],
      options: { secret?: boolean; bare?: boolean } = {},
    ): string | null {
      const value = text(name);
      if (value === null) return null;
      // A value that may carry a password is not repeated in the sentence.
      const shown = options.secret ? '' : ` "${value}"`;
      const url = URL.parse(value);
      if (!url || !schemes.includes(url.protocol)) {
        problems.add(
          `${name}${shown} is not an address starting with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`,
        );
        return null;
      }
      if (options.bare && (url.search || url.hash || url.username)) {
        problems.add(`${name}${shown} must not have a query, a fragment or a user in it.`);
        return null;
      }
      return value.replace(/\/+$/, '');
    },

    host(name: Variable): string | null {
      const value = plain(name)?.toLowerCase() ?? null;
      if (value === null || isHost(value)) return value;
      problems.add(`${name} is "${value}", which is not a host name.`);
      return null;
    },

    /** A comma-separated list of host or host:port (IPv6 in brackets where a port follows). */
    hostPorts(name: Variable): readonly HostPort[] {
      const entries = (plain(name) ?? '').split(',').map((entry) => entry.trim());
      return Object.freeze(
        entries.filter(Boolean).flatMap((entry) => {
          const parsed = parseHostPort(entry);
          if (!parsed)
            problems.add(
              `${name} has the entry "${entry}"; it takes host or host:port, separated by commas.`,
            );
          return parsed ? [Object.freeze(parsed)] : [];
        }),
      );
    },
  };
}

function parseHostPort(entry: string): HostPort | null {
  if (isIP(entry) === 6) return { host: entry, port: null };
  const [, bracketed, name, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const host = bracketed ?? name;
  const port = digits === undefined ? null : Number(digits);
  if (!host || (bracketed ? isIP(bracketed) !== 6 : !isHost(host))) return null;
  if (port !== null && (port < 1 || port > 65535)) return null;
  return { host: host.toLowerCase(), port };
}

function isHost(text: string): boolean {
  return (
    /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(text) &&
    text.length <= 253
  );
}
