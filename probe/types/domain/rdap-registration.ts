import { domainToASCII } from 'node:url';
import { type CheckContext, findingOf } from '#probe/check-outcome.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { RunningCheck } from '../run-check.ts';
import { within } from '../within.ts';
import { type Document, fetchDocument } from './rdap-fetch.ts';
import { registryFor } from './rdap-registries.ts';

/** A registration: the registered name, and when it ends, Unix milliseconds. */
export type Registration = { name: string; expiresAtMs: number };

/** The most labels of a registrable name; deeper names lie inside a registration. */
const MAX_LABELS = 5;
const JSON_TYPES = ['application/rdap+json', 'application/json'];

/**
 * The registration a name belongs to: asked for the name itself, then for its parents down to two labels. null: the registry
 * says that there is none. Throws OutboundFailure of layer probe without a usable answer, since that says nothing about the
 * name (docs/rules/monitor-types.md#domain).
 */
export async function registrationOf(
  domain: string,
  context: CheckContext,
  running: RunningCheck,
): Promise<Registration | null> {
  const name = (domainToASCII(domain) || domain).toLowerCase().replace(/\.$/, '');
  const labels = name.split('.').slice(-MAX_LABELS);
  // Reading a document may take longer than the check, on a busy machine. That too says nothing about the name.
  const inTime = <T>(work: Promise<T>) => within(running, 'The registry', work);
  try {
    const base = context.rdap?.baseUrl ?? (await inTime(registryFor(name, context, running.deadlineAtMs)));
    if (base === undefined)
      throw unavailable(`The registry of .${labels.at(-1)} has no RDAP server: when it ends cannot be known`);
    for (let from = 0; from < Math.max(1, labels.length - 1); from += 1) {
      const asked = labels.slice(from).join('.');
      const url = `${base.replace(/\/+$/, '')}/domain/${encodeURIComponent(asked)}`;
      const document = await inTime(fetchDocument(url, context, running.deadlineAtMs));
      if (document.status === 200) return { name: asked, expiresAtMs: expiryIn(document, asked, url) };
      if (!saysNothingThere(document, from < labels.length - 2)) throw notAnswered(document, url);
    }
    return null;
  } catch (error) {
    const finding = findingOf(error);
    if (finding.layer === 'probe') throw error;
    throw unavailable(`The registry could not be asked: ${finding.detail}`);
  }
}

function saysNothingThere({ status, mediaType }: Document, hasParents: boolean): boolean {
  // Some registries refuse names that they do not register instead of answering "not found".
  if (status === 400 || status === 422) return hasParents;
  // An HTML page saying "not found" comes from a web server without RDAP.
  return status === 404 && (mediaType === '' || JSON_TYPES.includes(mediaType));
}

function notAnswered({ status }: Document, url: string): OutboundFailure {
  const why = status === 429 ? ': it is asked too often from here' : '';
  return unavailable(`The registry at ${new URL(url).host} answered ${status}${why}`);
}

function expiryIn(document: Document, name: string, url: string): number {
  const { host } = new URL(url);
  let parsed: unknown;
  try {
    parsed = JSON.parse(document.text);
  } catch {
    throw unavailable(`The registry at ${host} did not answer in JSON`);
  }
  const { objectClassName, events } = (parsed ?? {}) as { objectClassName?: unknown; events?: unknown };
  if (objectClassName !== 'domain')
    throw unavailable(`The registry at ${host} did not answer with a domain (RFC 9083)`);
  const ends = (Array.isArray(events) ? events : [])
    .filter((event) => String(event?.eventAction).toLowerCase() === 'expiration')
    .map((event) => Date.parse(String(event.eventDate)))
    .filter((atMs) => !Number.isNaN(atMs));
  if (ends.length > 0) return Math.min(...ends);
  throw new OutboundFailure(
    'rdap_no_expiry',
    'probe',
    `The registry at ${host} does not say when ${name} expires`,
  );
}

const unavailable = (detail: string) => new OutboundFailure('rdap_unavailable', 'probe', detail);
