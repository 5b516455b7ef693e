// Checks the fields of a target: which ones its channel has, and their values (docs/rules/notifications.md#targets).
import {
  CHANNEL_NAMES,
  type ChannelName,
  EVENT_NAMES,
  PAGING_REGIONS,
  type PagingRegion,
} from '#src/domain/names.ts';
import { MASK, secretHint } from '#src/domain/secret-hint.ts';
import { refuse } from '#src/platform/refusals.ts';
import { signingSecretHint } from '../channels/signature.ts';
import { type AddressedKind, type AddressOptions, checkedAddress } from './checked-address.ts';
import { isPaging, type PagingKind, pagingUrl } from './operator-addresses.ts';

export type Given = {
  url?: string | null | undefined;
  credential?: string | null | undefined;
  region?: string | null | undefined;
};
/** Where a target points; `credential` is a new one, or null where there is none or the old one stays. */
export type Endpoint = { url: string; region: PagingRegion | null; credential: string | null };
/** The stored fields of a target; null for one that is being created. */
type Before = { url: string; region: string | null } | null;

const no = (field: string, message: string): never => refuse('invalid_request', message, { field });

export function checkedKind(kind: string): ChannelName {
  const known = CHANNEL_NAMES.find((one) => one === kind);
  return known ?? no('kind', `kind must be one of ${CHANNEL_NAMES.join(', ')}.`);
}

/** Address, region and credential of a target of this kind: new ones, or the stored ones where none are given. */
export function endpointOf(
  kind: ChannelName,
  given: Given,
  before: Before,
  options: AddressOptions,
): Endpoint {
  if (isPaging(kind)) return pagingAt(kind, given, before, options);
  const { credential, region, url } = given;
  if (credential != null) no('credential', `credential is for paging kinds; one of kind ${kind} has none.`);
  if (region != null) no('region', `region is for paging kinds; one of kind ${kind} has none.`);
  const same = before !== null && (url == null || url === before.url);
  if (!same && url?.includes(MASK))
    no('url', 'url is masked: send the whole address, or leave it out to keep the one there is.');
  return {
    url: same ? before.url : checkedAddress(kind as AddressedKind, url, options),
    region: null,
    credential: null,
  };
}

function pagingAt(kind: PagingKind, given: Given, before: Before, options: AddressOptions): Endpoint {
  const region = checkedRegion(given.region ?? before?.region ?? 'global');
  const url = pagingUrl(kind, region, options);
  // A client may send back the address that it read, also together with another region.
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

/** A key goes into a header or a field. Only its characters are checked: the provider judges the rest. */
function checkedCredential(given: string): string {
  const credential = given.trim();
  if (credential === '') no('credential', 'credential must not be empty.');
  if (!/^[\x21-\x7e]+$/.test(credential))
    no('credential', 'credential must be visible ASCII characters, without spaces between them.');
  return credential;
}

/** The events of a target without repetition; the refusal of an unknown event names it. */
export function checkedEvents(events: readonly string[]): string[] {
  if (events.length === 0) no('events', 'events must name at least one event.');
  for (const event of events)
    if (!(EVENT_NAMES as readonly string[]).includes(event))
      no('events', `events names ${JSON.stringify(event)}; events are ${EVENT_NAMES.join(', ')}.`);
  return [...new Set(events)];
}

/** The masked hint of a stored secret of this kind: its last four characters; a chat has none. */
export function hintOf(kind: ChannelName, secret: string | null): string {
  if (secret === null) return '';
  return isPaging(kind) ? secretHint(secret) : signingSecretHint(secret);
}
