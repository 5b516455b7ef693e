// Creates, lists and revokes the wall links of an organization. Only the hash of a token is stored.
import { recordActivity } from '../activity/record.ts';
import { lockMember } from '../organizations/lock-member.ts';
import { checkedName } from '../platform/checked-name.ts';
import { isId, newId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import { refuseBeyond } from '../platform/refuse-beyond.ts';
import { hashToken } from '../platform/secrets.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { MAX_WALL_LINKS, type WallLink } from './contract.ts';
import { makeWallToken, wallUrl } from './token.ts';

function selectLinks(db: Database | Tx, orgId: string) {
  return db
    .selectFrom('wall_links')
    .leftJoin('users', 'users.id', 'wall_links.created_by_user_id')
    .select(['wall_links.id', 'wall_links.name', 'wall_links.created_at', 'wall_links.last_seen_at'])
    .select('users.name as created_by_name')
    .where('wall_links.org_id', '=', orgId);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectLinks>['executeTakeFirstOrThrow']>>;

const show = ({ id, name, created_at, created_by_name, last_seen_at }: Row): WallLink => ({
  ...{ id, name, created_by_name },
  created_at_unix: unix(created_at),
  last_seen_at_unix: unixOrNull(last_seen_at),
});

/** Newest first: there are MAX_WALL_LINKS at most. */
export async function listWallLinks(db: Database, orgId: string): Promise<WallLink[]> {
  const rows = await selectLinks(db, orgId)
    .orderBy('wall_links.created_at', 'desc')
    .orderBy('wall_links.id', 'desc')
    .execute();
  return rows.map(show);
}

/** One link of an organization; 404 if it is unknown or another organization's. */
export async function findWallLink(db: Database | Tx, orgId: string, linkId: string): Promise<WallLink> {
  if (!isId('wll', linkId)) return notFound('wall link');
  const row = await selectLinks(db, orgId).where('wall_links.id', '=', linkId).executeTakeFirst();
  return row ? show(row) : notFound('wall link');
}

export type Making = { userId: string; name: string; baseUrl: string };

/** Creates a link. Refuses with `empty_name`, and with `limit_reached` above MAX_WALL_LINKS. */
export async function createWallLink(
  work: Work,
  orgId: string,
  { userId, name: given, baseUrl }: Making,
): Promise<WallLink & { url: string }> {
  const { tx, now } = work;
  const name = checkedName(given);
  // A removal that revokes the links of this person finds this one, or comes first.
  if (!(await lockMember(tx, orgId, userId))) notFound('organization');
  await refuseBeyond(tx, orgId, {
    table: 'wall_links',
    lock: 'wall links',
    max: MAX_WALL_LINKS,
    message: `This organization has ${MAX_WALL_LINKS} links to its wall display, which is the maximum; revoke one that no screen needs any more.`,
  });
  const id = newId('wll');
  const token = makeWallToken();
  await tx
    .insertInto('wall_links')
    .values({
      ...{ id, org_id: orgId, name, hash: hashToken(token) },
      ...{ created_by_user_id: userId, created_at: now },
    })
    .execute();
  const shown = await findWallLink(tx, orgId, id);
  await recordActivity(work, {
    orgId,
    action: 'wall_link.create',
    resource: { kind: 'wall_link', id, name },
    after: { name },
  });
  return { ...shown, url: wallUrl(baseUrl, token) };
}

/** Revokes a link: it is void with this commit, on every server. 404 for another organization's. */
export async function revokeWallLink(work: Work, orgId: string, linkId: string): Promise<void> {
  const { name } = await findWallLink(work.tx, orgId, linkId);
  // If two people revoke it at once, only one of them records it.
  const gone = await work.tx
    .deleteFrom('wall_links')
    .where('id', '=', linkId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) notFound('wall link');
  await recordActivity(work, {
    orgId,
    action: 'wall_link.revoke',
    resource: { kind: 'wall_link', id: linkId, name },
    before: { name },
  });
}

/** Revokes every link that a person created, in all organizations or in one; returns the number. */
export async function revokeWallLinksOf(work: Work, userId: string, orgId?: string): Promise<number> {
  const links = await work.tx
    .selectFrom('wall_links')
    .select(['id', 'org_id'])
    .where('created_by_user_id', '=', userId)
    .$if(orgId !== undefined, (query) => query.where('org_id', '=', orgId ?? ''))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, org_id } of links) await revokeWallLink(work, org_id, id);
  return links.length;
}
