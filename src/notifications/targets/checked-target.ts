// What may be written of a target: which fields its kind has, and what stands in them (docs/rules/notifications.md#targets).
import {
  EVENT_NAMES,
  PAGING_REGIONS,
  type PagingRegion,
  WEBHOOK_KINDS,
  type WebhookKind,
} from '#src/domain/names.ts';
import { refuse } from '#src/platform/refusals.ts';
import { secretHint } from '../channels/signature.ts';
import { type AddressedKind, type AddressOptions, checkedAddress } from './checked-address.ts';
import { isPaging, type PagingKind, pagingUrl } from './operator-addresses.ts';
import { ADDRESS_MASK } from './show-target.ts';

export type Given = {
  url?: string | null | undefined;
  credential?: string | null | undefined;
  region?: string | null | undefined;
};
/** Where a target points; `credential` is a new one, null where there is none or the old one stays. */
export type Pointed = { url: string; region: PagingRegion | null; credential: string | null };
/** What a target has already; null for one that is being made. */
type Before = { url: string; region: string | null } | null;

const no = (field: string, message: string): never => refuse('invalid_request', message, { field });

export function checkedKind(kind: string): WebhookKind {
  const known = WEBHOOK_KINDS.find((one) => one === kind);
  return known ?? no('kind', `kind must be one of ${WEBHOOK_KINDS.join(', ')}.`);
}

/** Address, region and credential of a target of this kind, new or laid over what it has. */
export function pointedAt(kind: WebhookKind, given: Given, before: Before, options: AddressOptions): Pointed {
  if (isPaging(kind)) return pagingAt(kind, given, before, options);
  const { credential, region, url } = given;
  if (credential != null) no('credential', `credential is for paging kinds; one of kind ${kind} has none.`);
  if (region != null) no('region', `region is for paging kinds; one of kind ${kind} has none.`);
  const same = before !== null && (url == null || url === before.url);
  if (!same && url?.includes(ADDRESS_MASK))
    no('url', 'url is masked: send the whole address, or leave it out to keep the one there is.');
  return {
    url: same ? before.url : checkedAddress(kind as AddressedKind, url, options),
    region: null,
    credential: null,
  };
}

function pagingAt(kind: PagingKind, given: Given, before: Before, options: AddressOptions): Pointed {
  const region = checkedRegion(given.region ?? before?.region ?? 'global');
  const url = pagingUrl(kind, region, options);
  // What was read can be sent back, also with another region beside it.
  if (given.url != null && given.url !== url && given.url !== before?.url)
    no('url', `url is read-only: that of kind ${kind} follows from the region.`);
  const credential = given.credential == null ? null : checkedCredential(given.credential);
  if (credential === null && before === null)
    no('credential', `credential is missing: kind ${kind} needs the key of the integration there.`);
  return { url, region, credential };
}

function checkedRegion(region: string): PagingRegion {
  const known = PAGING_REGIONS.find((one) => one === region);
  return known ?? no('region', `region must be ${PAGING_REGIONS.join(' or ')}.`);
}

/** Goes into a header, or a field that the provider judges: it knows its keys best. */
function checkedCredential(given: string): string {
  const credential = given.trim();
  if (credential === '') no('credential', 'credential must not be empty.');
  if (!/^[\x21-\x7e]+$/.test(credential))
    no('credential', 'credential must be visible ASCII characters, without spaces between them.');
  return credential;
}

/** The events of a target, each once; unknown names are refused by name. */
export function checkedEvents(events: readonly string[]): string[] {
  if (events.length === 0) no('events', 'events must name at least one event.');
  for (const event of events)
    if (!(EVENT_NAMES as readonly string[]).includes(event))
      no('events', `events names ${JSON.stringify(event)}; events are ${EVENT_NAMES.join(', ')}.`);
  return [...new Set(events)];
}

/** The masked hint of a stored secret of this kind: its last four characters; a chat has none. */
export function hintOf(kind: WebhookKind, secret: string | null): string {
  if (secret === null) return '';
  if (!isPaging(kind)) return secretHint(secret);
  // Of a very short one four characters would be half of it.
  return secret.length < 8 ? '••••' : `••••${secret.slice(-4)}`;
}
