// The content of walls: read again after an event in the organization and from time to time, once for all screens of a server.
// A request that finds nothing new costs one row.
import { createHash } from 'node:crypto';
import { SECOND_MS } from '../domain/durations.ts';
import type { Overview } from '../overview/contract.ts';
import { readOverview, type Sources } from '../overview/read.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { Wall } from './contract.ts';
import { type Shown, shownOf } from './shown.ts';

/** However much happens, an organization's monitors are not read more often than this. */
const READ_EVERY_MS = 2 * SECOND_MS;
/** Changes that come with time alone (a shift, a monitor that keeps waiting) appear after this. */
const READ_ANYWAY_MS = 30 * SECOND_MS;
const MAX_KEPT = 500;

/** `digest`: of the content. */
type View = { seq: string; readAtMs: number; shown: Shown; digest: string };
type Organization = { name: string; seq: string };

export type Walls = {
  /** The wall of an organization at `now`, under the name of a link; `etag` changes with the content. */
  view: (db: Database, orgId: string, linkName: string, now: Date) => Promise<{ wall: Wall; etag: string }>;
};

export function makeWalls(sources: Sources): Walls {
  const views = new Map<string, View>();
  const reading = new Map<string, Promise<View>>();

  async function read(db: Database, orgId: string, { seq }: Organization, now: Date): Promise<View> {
    const sees = { incidents: true, onCall: true, maintenance: true };
    const overview: Overview = await readOverview(
      db,
      { orgId, within: null, now, tiles: true, sees },
      sources,
    );
    const shown = shownOf(overview);
    const view = { seq, readAtMs: now.getTime(), shown, digest: digestOf(JSON.stringify(shown)) };
    if (views.size >= MAX_KEPT && !views.has(orgId)) views.clear();
    views.set(orgId, view);
    return view;
  }

  function current(db: Database, orgId: string, organization: Organization, now: Date): Promise<View> | View {
    const known = views.get(orgId);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.readAtMs;
    const pause = known?.seq === organization.seq ? READ_ANYWAY_MS : READ_EVERY_MS;
    if (known !== undefined && ageMs < pause) return known;
    const under = reading.get(orgId);
    if (under !== undefined) return under;
    const next = read(db, orgId, organization, now).finally(() => reading.delete(orgId));
    reading.set(orgId, next);
    return next;
  }

  return {
    async view(db, orgId, linkName, now) {
      const organization = await organizationOf(db, orgId);
      const { shown, digest } = await current(db, orgId, organization, now);
      const named = { organization_name: organization.name, link_name: linkName };
      const etag = `"${digestOf(JSON.stringify([named, digest]))}"`;
      return { wall: { ...named, ...shown }, etag };
    },
  };
}

/** The organization's row has the number of its last live event, updated in the transaction that the event is about. */
async function organizationOf(db: Database, orgId: string): Promise<Organization> {
  const row = await db
    .selectFrom('organizations')
    .select(['name', 'live_seq'])
    .where('id', '=', orgId)
    .executeTakeFirst();
  return row ? { name: row.name, seq: String(row.live_seq) } : notFound('organization');
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);
