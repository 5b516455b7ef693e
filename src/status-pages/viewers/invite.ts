// Mails a viewer without a password a link to choose one. Save, then send.
import { passwordHash } from '#src/accounts/password-hashing.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { giveMailBack, takeMail } from '#src/members/mail-invitation.ts';
import { lockLimits } from '#src/organizations/lock-limits.ts';
import { languageOfOrganization } from '#src/organizations/update.ts';
import type { BodyOf, ReplyOf } from '#src/platform/contract.ts';
import type { Caller } from '#src/platform/http/caller.ts';
import type { Call } from '#src/platform/http/route.ts';
import type { Log } from '#src/platform/log.ts';
import { type Mail, MailFailure } from '#src/platform/mail/mail.ts';
import { refuse } from '#src/platform/refusals.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import type { Work } from '#src/platform/work.ts';
import type { createViewer as contract, Viewer } from '../access-contract.ts';
import type { PageRow } from '../lock.ts';
import { readablePassword } from '../readable-password.ts';
import { createViewer } from './create.ts';
import { viewerMail } from './viewer-mail.ts';

export type ViewerMailOptions = {
  /** null: no mail can be sent. */
  mail: Mail | null;
  /** Base address of the link, without a slash at the end. */
  baseUrl: string;
  log: Log;
};

/** How long the link of an invitation is valid. */
const LINK_MS = 7 * DAY_MS;

type Invited = {
  page: PageRow;
  viewer: Viewer;
  token: string;
  at: Date;
  expiresAt: Date;
  language: PageLanguage;
};

/**
 * Creates a viewer. Without a password the viewer is invited by mail; if no mail can be sent, or the mail server does not
 * accept it, the answer has a generated password, this once.
 */
export async function addViewer(
  { params, body, caller, db, work, resource }: Call<typeof contract>,
  options: ViewerMailOptions,
): Promise<ReplyOf<typeof contract>> {
  const pageId = params.id;
  const password = body.password ?? (options.mail === null ? readablePassword() : null);
  if (password !== null) {
    const viewer = await withPassword(work, pageId, body, password);
    return body.password == null ? { ...viewer, password } : viewer;
  }
  const by = personOf(caller);
  const invited = await work((work) => inviteViewer(work, resource.orgId, pageId, body, by.userId));
  const failure = await mailLink(options, invited, by.name);
  if (failure === null) return invited.viewer;
  await giveMailBack(
    db,
    { orgId: resource.orgId, userId: by.userId, address: invited.viewer.email, at: invited.at },
    failure,
  );
  const made = readablePassword();
  const hash = await passwordHash(made);
  const given = await work((work) => giveFirstPassword(work, invited.viewer.id, hash));
  return given ? { ...invited.viewer, password: made } : invited.viewer;
}

async function withPassword(
  work: Call<typeof contract>['work'],
  pageId: string,
  body: BodyOf<typeof contract>,
  password: string,
): Promise<Viewer> {
  const hash = await passwordHash(password);
  const { viewer } = await work((work) => createViewer(work, pageId, { ...body, passwordHash: hash }));
  return viewer;
}

/** Counts as an invitation mail of the organization and of the inviting person. */
async function inviteViewer(
  work: Work,
  orgId: string,
  pageId: string,
  body: BodyOf<typeof contract>,
  userId: string,
): Promise<Invited> {
  await lockLimits(work.tx, orgId);
  const { page, viewer } = await createViewer(work, pageId, { ...body, passwordHash: null });
  await takeMail(work, orgId, userId, viewer.email);
  const token = randomToken(24);
  const expiresAt = new Date(work.now.getTime() + LINK_MS);
  await work.tx
    .insertInto('status_page_viewer_links')
    .values({
      token_hash: hashToken(token),
      viewer_id: viewer.id,
      created_at: work.now,
      expires_at: expiresAt,
    })
    .execute();
  return {
    page,
    viewer,
    token,
    at: work.now,
    expiresAt,
    language: await languageOfOrganization(work.tx, orgId),
  };
}

/** null if it was sent; a failure is logged without the token. */
async function mailLink(
  { mail, baseUrl, log }: ViewerMailOptions,
  { page, viewer, token, expiresAt, language }: Invited,
  by: string,
): Promise<MailFailure | null> {
  const link = `${baseUrl}/status/${page.slug}/password/${token}`;
  try {
    const message = viewerMail({ page: page.name, viewer, by, link, expiresAt, language });
    await mail?.send({ to: viewer.email, ...message });
    return null;
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log.warn(
      { viewer_id: viewer.id, failure_class: error.failureClass, reason: error.message },
      'a viewer could not be invited by mail; the inviter was given a password to share',
    );
    return error;
  }
}

/** False if the viewer has chosen a password meanwhile: a mail server may accept a mail and fail afterwards. */
async function giveFirstPassword({ tx }: Work, viewerId: string, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('status_page_viewers')
    .set({ password_hash: hash })
    .where('id', '=', viewerId)
    .where('password_hash', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx.deleteFrom('status_page_viewer_links').where('viewer_id', '=', viewerId).execute();
  return true;
}

const personOf = (caller: Caller | null) =>
  caller?.kind === 'user' ? caller : refuse('forbidden', 'Only people invite viewers.');
