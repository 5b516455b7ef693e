// Regions as the operator sees them: with their probes and the shares of these, and the tokens.
import { type Selectable, sql } from 'kysely';
import { ownerOf } from '../domain/share.ts';
import type { DB } from '../platform/db/tables.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Admission } from './admission.ts';
import type { AdministeredRegion } from './contract.ts';
import { LOCAL_REGION } from './create.ts';
import { NO_REGION } from './find.ts';
import { hasStalled, ONLINE_MS } from './liveness.ts';
import { keepsPrivateResponses } from './private-responses.ts';
import { sharersOf, sharingSince } from './sharing.ts';

/** Most probes shown per region, the most recently seen first. */
const MAX_PROBES = 100;

/** All regions, or the one of `slug`, by slug. */
export async function listAdministered(
  db: Database | Tx,
  now: Date,
  slug?: string,
): Promise<AdministeredRegion[]> {
  const regions = await db
    .selectFrom('regions as r')
    .selectAll('r')
    .select(keepsPrivateResponses.as('keeps_private_responses'))
    .where('no', '<>', NO_REGION)
    .$if(slug !== undefined, (query) => query.where('slug', '=', slug ?? ''))
    .orderBy('slug')
    .execute();
  const nos = regions.map(({ no }) => no);
  if (nos.length === 0) return [];
  const [probes, tokens, checked] = await Promise.all([
    db
      .selectFrom('probes as p')
      .selectAll()
      .select(hasStalled.as('stalled'))
      .where('region_no', 'in', nos)
      // Waiting probes first.
      .orderBy(sql`admission <> 'waiting'`)
      .orderBy('last_seen_at', 'desc')
      .execute(),
    db
      .selectFrom('probe_tokens')
      .select(['region_no', 'id', 'hint', 'created_at', 'last_used_at', 'max_probes', 'bundled'])
      .where('region_no', 'in', nos)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('assignments')
      .select(['region_no', 'monitor_id'])
      .where('region_no', 'in', nos)
      .where('removed', '=', false)
      .execute(),
  ]);
  const onlineSince = new Date(now.getTime() - ONLINE_MS);
  return regions.map((region) => {
    const own = probes.filter(({ region_no }) => region_no === region.no);
    const monitors = checked.filter(({ region_no }) => region_no === region.no);
    const asking = own.filter(
      ({ admission, asked_at }) =>
        admission === 'admitted' && asked_at !== null && asked_at > sharingSince(now),
    );
    const names = (list: typeof asking) => list.map(({ probe_id }) => probe_id);
    const working = asking.filter(({ stalled }) => !stalled);
    const shares = sharesOf(
      sharersOf({ asking: names(asking), working: names(working) }),
      monitors.map(({ monitor_id }) => monitor_id),
    );
    const isOnline = (seen: Date) => seen > onlineSince;
    return {
      slug: region.slug,
      name: region.name,
      online: own.some(
        ({ last_seen_at, admission, stalled }) =>
          isOnline(last_seen_at) && admission === 'admitted' && !stalled,
      ),
      internal: region.internal,
      allow_private_targets: region.allow_private_targets,
      private_targets_by: decidedBy(region),
      keep_private_responses: region.keeps_private_responses,
      private_responses_by: region.private_responses_choice === null ? 'default' : 'operator',
      canaries: region.canaries,
      monitor_count: monitors.length,
      probes: own
        .slice(0, MAX_PROBES)
        .map(({ probe_id, admission, stalled, set_aside_at, busy_at, first_seen_at, last_seen_at }) => ({
          probe_id,
          online: isOnline(last_seen_at),
          admission: admission as Admission,
          stalled: Boolean(stalled) && admission === 'admitted',
          set_aside_at_unix: unixOrNull(set_aside_at),
          busy_at_unix: unixOrNull(busy_at),
          first_seen_at_unix: unix(first_seen_at),
          last_seen_at_unix: unix(last_seen_at),
          monitors:
            isOnline(last_seen_at) && admission === 'admitted' && !stalled
              ? (shares.get(probe_id) ?? 0)
              : null,
        })),
      probe_tokens: tokens
        .filter(({ region_no }) => region_no === region.no)
        .map(({ id, hint, created_at, last_used_at, max_probes, bundled }) => ({
          id,
          created_at_unix: unix(created_at),
          last_used_at_unix: unixOrNull(last_used_at),
          hint,
          max_probes,
          bundled,
        })),
    };
  });
}

function sharesOf(probeIds: readonly string[], monitorIds: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const id of monitorIds) {
    const owner = ownerOf(probeIds, id);
    if (owner !== undefined) shares.set(owner, (shares.get(owner) ?? 0) + 1);
  }
  return shares;
}

function decidedBy(region: Selectable<DB['regions']>): AdministeredRegion['private_targets_by'] {
  if (region.slug !== LOCAL_REGION) return 'operator';
  if (region.private_targets_fixed) return 'environment';
  return region.private_targets_choice === null ? 'default' : 'operator';
}
