// Storms: automatic incidents of one organization that open close together. When one is, who belongs to it, and its name
// (docs/rules/on-call-and-alarms.md#storms). Pure.
import { foundWords } from './failure-words.ts';

/** The number of automatic incidents opening within SPAN_MS that make a storm. */
export const STORM_FROM = 3;
export const SPAN_MS = 60_000;
/** A further incident belongs to the storm while its last opening is less than this ago. */
export const JOIN_MS = 300_000;

/** Traits that incidents of a storm may share; `region` is set only if the monitor's other regions did not fail. */
export type Traits = { host: string | null; failureClass: string | null; region: string | null };

/** Traits, and how many incidents have them. */
export type CountedTraits = Traits & { count: number };

/**
 * The name of a storm: the host that its incidents share, then how they failed, then the one region that sees it. A trait of at
 * least two thirds counts as shared, so that an unrelated incident in the same minutes does not remove the name. Null where
 * they share nothing.
 */
export function nameOfStorm(members: readonly CountedTraits[]): string | null {
  const host = shared(members, 'host');
  const failureClass = shared(members, 'failureClass');
  const region = shared(members, 'region');
  const parts = [
    host,
    failureClass === null || failureClass === 'unknown' ? null : foundWords(failureClass),
    // Where the host is known to be the cause, the region that sees it adds nothing.
    host === null && region !== null ? `seen from ${region}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

function shared(members: readonly CountedTraits[], trait: keyof Traits): string | null {
  const total = members.reduce((sum, { count }) => sum + count, 0);
  const counts = new Map<string, number>();
  for (const { count, ...traits } of members) {
    const value = traits[trait];
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return most && most[1] * 3 >= total * 2 ? most[0] : null;
}

/** The host that a monitor's config names (`url`, `host` or `domain`), in lower case; null where it names none. */
export function hostOf(config: Readonly<Record<string, unknown>>): string | null {
  const { url, host, domain } = config;
  if (typeof url === 'string') return URL.parse(url)?.hostname.toLowerCase() || null;
  const given = typeof host === 'string' ? host : typeof domain === 'string' ? domain : '';
  return given.toLowerCase() || null;
}
