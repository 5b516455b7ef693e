import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { emailAddress } from '#src/domain/email-address.ts';
import { checkedLine } from '#src/incidents/texts.ts';
import { newId } from '#src/platform/ids.ts';
import { Refusal, refuse } from '#src/platform/refusals.ts';
import type { Work } from '#src/platform/work.ts';
import type { Viewer } from '../access-contract.ts';
import { announcePage } from '../changed.ts';
import { lockPage, type PageRow } from '../lock.ts';
import { showViewer } from './list.ts';

/** The most viewers of a page. */
export const MAX_VIEWERS = 1000;

export type NewViewer = {
  username: string;
  email: string;
  /** null: the viewer chooses a password by a mailed link. */
  passwordHash: string | null;
};

/**
 * Creates a viewer account of a page (docs/rules/status-pages.md#viewers). Refuses a name without visible characters and an
 * invalid mail address (400), a name or an address that another viewer of the page has, in any case (409 `name_taken`,
 * `already_member`), and a viewer beyond MAX_VIEWERS (409 `limit_reached`).
 */
export async function createViewer(
  work: Work,
  pageId: string,
  given: NewViewer,
): Promise<{ page: PageRow; viewer: Viewer }> {
  const { tx, now } = work;
  const page = await lockPage(work, pageId);
  const username = checkedLine(given.username, 'username');
  const email =
    emailAddress(given.email) ??
    refuse('invalid_request', 'email must be an e-mail address, in letters without accents.', {
      field: 'email',
    });
  await refuseKnown(work, pageId, username, email);
  const row = { id: newId('spv'), username, email, created_at: now, last_login_at: null };
  await tx
    .insertInto('status_page_viewers')
    .values({ ...row, status_page_id: pageId, password_hash: given.passwordHash })
    .execute();
  const viewer = showViewer(row);
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.create_viewer',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    after: viewer,
  });
  return { page, viewer };
}

/** The row of the page is locked, so nobody else adds a viewer meanwhile. */
async function refuseKnown({ tx }: Work, pageId: string, username: string, email: string): Promise<void> {
  const { rows } = await sql<{ n: number; named: boolean; addressed: boolean }>`
    SELECT count(*)::int AS n, coalesce(bool_or(lower(username) = lower(${username})), false) AS named,
      coalesce(bool_or(lower(email) = lower(${email})), false) AS addressed
    FROM status_page_viewers WHERE status_page_id = ${pageId}`.execute(tx);
  const [{ n, named, addressed } = { n: 0, named: false, addressed: false }] = rows;
  if (named)
    throw new Refusal(
      'name_taken',
      'username is already used by another viewer of this page.',
      { field: 'username' },
      409,
    );
  if (addressed)
    refuse('already_member', 'email already belongs to a viewer of this page.', { field: 'email' });
  if (n >= MAX_VIEWERS)
    refuse(
      'limit_reached',
      `This page has ${MAX_VIEWERS} viewers, which is the maximum; delete one that is no longer needed.`,
      { limit: MAX_VIEWERS },
    );
}
