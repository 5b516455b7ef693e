import type { CheckContext } from '#probe/check-outcome.ts';
import type { MonotonicMs } from '#src/platform/outbound/deadline.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { fetchDocument } from './rdap-fetch.ts';

/** IANA's list of registries and their RDAP servers (RFC 9224). */
const IANA = 'https://data.iana.org/rdap/dns.json';
const KEPT_MS = 24 * 3_600_000;
/** An old list stays in use this much longer when it cannot be read again. */
const READ_AGAIN_MS = 600_000;

/** Base address of the RDAP server by top-level domain (or what registries run below one). */
type Registries = ReadonlyMap<string, string>;

const lists = new Map<string, { registries: Promise<Registries>; untilMs: MonotonicMs }>();

/**
 * Base address of the RDAP server that answers for a name; undefined if its registry has none. This process reads the list once
 * a day; if that fails, the old one stays in use. Throws OutboundFailure.
 */
export async function registryFor(
  name: string,
  context: CheckContext,
  deadlineAtMs: MonotonicMs,
): Promise<string | undefined> {
  const registries = await listAt(context.rdap?.bootstrapUrl ?? IANA, context, deadlineAtMs);
  const labels = name.split('.');
  for (let from = 0; from < labels.length; from += 1) {
    const base = registries.get(labels.slice(from).join('.'));
    if (base !== undefined) return base;
  }
  return undefined;
}

async function listAt(url: string, context: CheckContext, deadlineAtMs: MonotonicMs): Promise<Registries> {
  const nowMs = performance.now();
  const known = lists.get(url);
  if (known && nowMs < known.untilMs)
    return known.registries.catch((error: unknown) => {
      // The check that was reading it was cancelled, and this one was not.
      const isOver = context.signal?.aborted === true || performance.now() >= deadlineAtMs;
      if (isOver || !(error instanceof OutboundFailure) || error.failureClass !== 'aborted') throw error;
      return listAt(url, context, deadlineAtMs);
    });
  // With an old list at hand the check keeps half of its time for the registry.
  const byMs = known ? nowMs + (deadlineAtMs - nowMs) / 2 : deadlineAtMs;
  const registries = read(url, context, byMs).catch((error: unknown) => {
    if (known === undefined) lists.delete(url);
    else lists.set(url, { ...known, untilMs: performance.now() + READ_AGAIN_MS });
    if (known) return known.registries;
    throw error;
  });
  // Stored at once, so that many checks at the same time read it once.
  lists.set(url, { registries, untilMs: nowMs + KEPT_MS });
  return registries;
}

async function read(url: string, context: CheckContext, deadlineAtMs: MonotonicMs): Promise<Registries> {
  const { status, text } = await fetchDocument(url, context, deadlineAtMs);
  const registries = status === 200 ? registriesIn(text) : new Map<string, string>();
  if (registries.size > 0) return registries;
  throw new OutboundFailure(
    'rdap_unavailable',
    'probe',
    `The list of registries at ${new URL(url).host} could not be read (status ${status})`,
  );
}

function registriesIn(text: string): Map<string, string> {
  const registries = new Map<string, string>();
  for (const [names, addresses] of servicesIn(text)) {
    const usable = addresses.filter((address) => /^https?:\/\//i.test(address) && URL.canParse(address));
    const base = usable.find((address) => /^https:/i.test(address)) ?? usable[0];
    if (base !== undefined) for (const name of names) registries.set(name.toLowerCase(), base);
  }
  return registries;
}

function servicesIn(text: string): [string[], string[]][] {
  let services: unknown;
  try {
    services = (JSON.parse(text) as { services?: unknown } | null)?.services;
  } catch {
    return [];
  }
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  return Array.isArray(services)
    ? services.filter(Array.isArray).map(([names, addresses]) => [texts(names), texts(addresses)])
    : [];
}
