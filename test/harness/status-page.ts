// Status pages for tests.
import { randomBytes } from 'node:crypto';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { announcePage } from '#src/status-pages/changed.ts';
import type { StatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
import type { Person, Place, TestApp } from './app.ts';
import { png, SVG } from './images.ts';
import { hashOnce } from './people.ts';

/** A draft page with a unique slug. */
export const newPage = (
  by: Person,
  { orgId }: Pick<Place, 'orgId'>,
  name = 'How we are',
): Promise<StatusPage> =>
  by.ok<StatusPage>('POST', `/organizations/${orgId}/status-pages`, {
    name,
    slug: `page-${randomBytes(6).toString('hex')}`,
  });

/** The required fields of a PATCH, and the changes. */
export const settings = (page: StatusPage, changed: object = {}) => ({
  name: page.name,
  enabled: page.enabled,
  public_viewable: page.public_viewable,
  password_protected: page.password_protected,
  ...changed,
});

export const readPage = (by: Person, { id }: { id: string }): Promise<StatusPageDetail> =>
  by.ok<StatusPageDetail>('GET', `/status-pages/${id}`);

/** A monitor that nothing checks. */
export const newMonitor = (by: Person, { projectId }: Place, name: string): Promise<Monitor> =>
  by.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    enabled: false,
  });

/** Creates a public page, with a monitor and logos; returns its slug. */
export async function makePublicPage(by: Person, orgId: string, monitorId: string): Promise<string> {
  const page = await newPage(by, { orgId });
  const path = `/status-pages/${page.id}`;
  await by.ok('PATCH', path, settings(page, { access_mode: 'public' }));
  await by.ok('PUT', `${path}/monitors`, { monitors: [{ monitor_id: monitorId }] });
  for (const logo of ['logo', 'logo-dark']) await by.ok('PUT', `${path}/${logo}`, SVG);
  return page.slug;
}

/** A verified domain of a page, which every server soon knows; `cert`: the edge's report of its certificate. Returns its id. */
export async function verifiedDomain(
  { db, clock }: TestApp,
  { id, organization_id }: StatusPage,
  domain: string,
  cert: 'issued' | null = null,
): Promise<string> {
  const now = clock.now();
  const domainId = newId('spd');
  await runWork(db, now, SYSTEM, async (work) => {
    await work.tx
      .insertInto('status_page_domains')
      .values({
        ...{ id: domainId, org_id: organization_id, status_page_id: id, domain },
        ...{ target_label: domainId.slice(4), verification_token: 'x' },
        ...{ status: 'verified', verified_at: now, cert_status: cert },
        ...{ created_at: now, pending_since: now, next_check_at: null },
      })
      .execute();
    await announcePage(work, id);
  });
  return domainId;
}

/** Gives a page everything that can be removed from it: a shared password, logos, this viewer, this subscriber, this domain. */
export async function furnishPage(
  { db, clock }: TestApp,
  { id, viewer_id, sub_id, domain_id }: { id: string; viewer_id: string; sub_id: string; domain_id: string },
): Promise<void> {
  await db
    .updateTable('status_pages')
    .set({ shared_password_hash: `${'0'.repeat(32)}:${'0'.repeat(128)}` })
    .where('id', '=', id)
    .execute();
  const logo = { status_page_id: id, media_type: 'image/svg+xml', bytes: Buffer.from('<svg/>') };
  await db
    .insertInto('status_page_logos')
    .values(['light', 'dark'].map((ground) => ({ ...logo, ground, uploaded_at: clock.now() })))
    .execute();
  await db
    .insertInto('status_page_viewers')
    .values({
      id: viewer_id,
      status_page_id: id,
      username: 'vera',
      email: 'vera@example.org',
      created_at: clock.now(),
    })
    .execute();
  const { org_id } = await db
    .selectFrom('status_pages')
    .select('org_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('status_page_domains')
    .values({
      ...{ id: domain_id, org_id, status_page_id: id, domain: `${domain_id.slice(4)}.example.org` },
      ...{ target_label: domain_id.slice(4), verification_token: 'token', status: 'pending' },
      ...{ created_at: clock.now(), pending_since: clock.now(), next_check_at: clock.now() },
    })
    .execute();
  const subscriber = { id: sub_id, status_page_id: id, email: 'sam@example.org', language: 'en' };
  await db
    .insertInto('status_page_subscribers')
    .values({ ...subscriber, created_at: clock.now() })
    .execute();
}

/**
 * A page that has everything: settings, a monitor, logos, a shared password, and a viewer who is signed in and forgot the
 * password.
 */
export async function liveInPage(
  { db, clock }: TestApp,
  owner: Person,
  page: StatusPage,
  monitorId: string,
): Promise<void> {
  const path = `/status-pages/${page.id}`;
  await owner.ok('PUT', `${path}/shared-password`, { password: 'a password that is shared' });
  await owner.ok('PATCH', path, {
    ...settings(page, { access_mode: 'shared_password', slug: `${page.slug}-2`, timezone: 'Europe/Berlin' }),
    ...{ description: 'Two lines\nof text', headline: 'All of it', collapsed_groups: ['EU'] },
    ...{ header_nav: [{ label: 'Help', href: '/help' }], auto_link_incidents: false },
  });
  await owner.ok('PUT', `${path}/monitors`, {
    monitors: [{ monitor_id: monitorId, display_name: 'Shop', group_label: 'EU', uptime_window_days: 30 }],
  });
  await owner.ok('PUT', `${path}/logo`, SVG);
  await owner.ok('PUT', `${path}/logo-dark`, png());
  await owner.ok('POST', `${path}/domains`, { domain: `${page.slug}.example.org` });
  const order = { org_id: page.organization_id, domain: `${page.slug}.example.org`, at: clock.now() };
  await db.insertInto('certificate_orders').values(order).execute();
  const viewer_id = newId('spv');
  await db
    .insertInto('status_page_viewers')
    .values({
      id: viewer_id,
      status_page_id: page.id,
      username: 'Vera',
      email: 'vera@example.org',
      password_hash: await hashOnce('a password of a viewer'),
      created_at: clock.now(),
      last_login_at: clock.now(),
    })
    .execute();
  const token = { viewer_id, created_at: clock.now(), expires_at: new Date(clock.ms() + 86_400_000) };
  const session = { ...token, token_hash: hashToken(`session ${viewer_id}`) };
  await db.insertInto('status_page_viewer_sessions').values(session).execute();
  const link = { ...token, token_hash: hashToken(`link ${viewer_id}`) };
  await db.insertInto('status_page_viewer_links').values(link).execute();
  await liveInSubscriptions({ db, clock }, page.id, monitorId);
}

/** A subscriber who chose a monitor, and a mail in each state. */
async function liveInSubscriptions(
  { db, clock }: Pick<TestApp, 'db' | 'clock'>,
  pageId: string,
  monitorId: string,
): Promise<void> {
  const now = clock.now();
  const { no } = await db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitorId)
    .executeTakeFirstOrThrow();
  const of = { status_page_id: pageId };
  const id = newId('sub');
  await db
    .insertInto('status_page_subscribers')
    .values({
      ...of,
      id,
      email: 'sam@example.org',
      language: 'de',
      created_at: now,
      confirmed_at: now,
      all_monitors: false,
    })
    .execute();
  await db
    .insertInto('status_page_subscriber_monitors')
    .values({ subscriber_id: id, monitor_no: no })
    .execute();
  await db
    .insertInto('status_page_subscription_requests')
    .values({ ...of, address_hash: hashToken('sam@example.org'), client: '192.0.2.1', at: now })
    .execute();
  await db
    .insertInto('status_page_announcements')
    .values({ ...of, kind: 'incident_linked', monitor_nos: [no], facts: '{}', at: now })
    .execute();
  const mailing = await db
    .insertInto('status_page_mailings')
    .values({ ...of, announcements: '[]', created_at: now })
    .returning('no')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('status_page_mails')
    .values({ mailing_no: mailing.no, subscriber_id: id, next_at: now })
    .execute();
}
