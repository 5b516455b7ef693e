// The slug of a status page: part of its public address (docs/rules/errors-and-conventions.md#slugs).
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import { slugFrom } from '../domain/slug.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';

const RESERVED = new Set(
  'api app admin docs public status assets auth probe agent heartbeat ack healthz readyz metrics'.split(' '),
);

/**
 * The normalized slug. Refuses one that normalizes to nothing (400 `empty_slug`), and one that looks like a part of the
 * installation (409 `slug_reserved`).
 */
export function checkedSlug(wanted: string, field: 'name' | 'slug'): string {
  const slug = slugFrom(wanted);
  if (slug === '')
    refuse(
      'empty_slug',
      `${field} must contain a letter or a digit that can be written as a to z or 0 to 9.`,
      { field },
    );
  if (RESERVED.has(slug))
    refuse(
      'slug_reserved',
      `${field} gives the slug ${slug}, which is reserved: its address would read as a part of the installation. Give another slug.`,
      { field },
    );
  return slug;
}

/** The refusal of a slug that another page of the installation has. */
export function refuseSlug(slug: string, field: 'name' | 'slug'): never {
  return refuse('slug_taken', `${field} gives the slug ${slug}, which another status page already has.`, {
    field,
  });
}

/** Turns a violation of the unique index of slugs into a 409. */
export function refuseSlugInUse(error: unknown, slug: string): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'status_pages_slug') refuseSlug(slug, 'slug');
  throw error;
}

/** The most changes of a page's slug within a week: each one breaks people's links. */
const CHANGES_A_WEEK = 3;
const WEEK_MS = 7 * DAY_MS;

/**
 * Counts a change of the slug; 429 `slug_change_limit` beyond three in any seven days, until the oldest that counts is a
 * week old. The row of the page is locked.
 */
export async function countSlugChange({ tx, now }: Work, pageId: string): Promise<void> {
  const since = new Date(now.getTime() - WEEK_MS);
  await sql`DELETE FROM status_page_slug_changes WHERE status_page_id = ${pageId} AND at <= ${since}`.execute(
    tx,
  );
  const { rows } = await sql<{ at: Date }>`
    SELECT at FROM status_page_slug_changes WHERE status_page_id = ${pageId}
    ORDER BY at DESC OFFSET ${CHANGES_A_WEEK - 1} LIMIT 1`.execute(tx);
  const [oldest] = rows;
  if (oldest)
    refuse(
      'slug_change_limit',
      `slug was changed ${CHANGES_A_WEEK} times within a week. Each change breaks the links that people have; try again later.`,
      {
        field: 'slug',
        limit: CHANGES_A_WEEK,
        retryAfterSeconds: Math.max(1, Math.ceil((oldest.at.getTime() + WEEK_MS - now.getTime()) / 1000)),
      },
    );
  await tx.insertInto('status_page_slug_changes').values({ status_page_id: pageId, at: now }).execute();
}
