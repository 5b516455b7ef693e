// The hash chain of the activity log in an export: bytes in the form of PostgreSQL's JSON.
import type { ChainEnd, ChainedEntry } from '../activity/chain.ts';
import { type ChainBreak, type ChainWalk, walkChain } from '../activity/walk-chain.ts';
import type { DataOf } from './format.ts';

type Organization = DataOf<'organization'>;

const bytesOf = (hex: string) => Buffer.from(hex.replace(/^\\x/, ''), 'hex');
const bytesOrNull = (hex: string | null | undefined) => (hex == null ? null : bytesOf(hex));

/** Verifies the log of the organization; null if the export is older than the chain. */
export function walkOf(organization: Organization): ChainWalk | null {
  const {
    activity_no,
    activity_dropped_no = 0,
    activity_dropped_hash = '',
    activity_unchained = 0,
  } = organization;
  if (activity_no === undefined) return null;
  return walkChain({ no: activity_dropped_no, hash: bytesOf(activity_dropped_hash) }, activity_unchained);
}

/** The end of the log, as recorded in the organization. */
export const headOf = ({ activity_no = 0, activity_hash = '' }: Organization): ChainEnd => ({
  no: activity_no,
  hash: bytesOf(activity_hash),
});

/** The chain's columns of the imported organization, without those that an older export does not have. */
export function chainColumns(given: Partial<Organization>) {
  const { activity_no, activity_hash, activity_dropped_no, activity_dropped_hash, activity_unchained } =
    given;
  if (activity_no === undefined) return {};
  return {
    activity_no,
    activity_hash: bytesOf(activity_hash ?? ''),
    activity_dropped_no: activity_dropped_no ?? 0,
    activity_dropped_hash: bytesOf(activity_dropped_hash ?? ''),
    activity_unchained: activity_unchained ?? 0,
  };
}

export function entryOf(data: DataOf<'activity'>): ChainedEntry {
  return {
    ...data,
    chain_no: data.chain_no ?? null,
    chain_hash: bytesOrNull(data.chain_hash),
    actor_salt: bytesOrNull(data.actor_salt),
    actor_digest: bytesOrNull(data.actor_digest),
    subject_salt: bytesOrNull(data.subject_salt),
    subject_digest: bytesOrNull(data.subject_digest),
  };
}

/** Finds tampering in the log: `take` every line in order, then ask for `breaks`. */
export function watchLog(): { take: (kind: string, data: object) => void; breaks: () => ChainBreak[] } {
  let organization: Organization | null = null;
  let walk: ChainWalk | null = null;
  const found: ChainBreak[] = [];
  return {
    take(kind, data) {
      if (kind === 'organization') {
        organization = data as Organization;
        walk = walkOf(organization);
      }
      if (kind === 'activity' && walk) found.push(...walk.take(entryOf(data as DataOf<'activity'>)));
    },
    breaks: () => (walk && organization ? [...found, ...walk.end(headOf(organization))] : []),
  };
}
