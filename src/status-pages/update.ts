import { recordActivity } from '../activity/record.ts';
import { canonicalZone, isTimezone } from '../domain/cron.ts';
import { hrefProblem } from '../domain/header-link.ts';
import type { AccessMode } from '../domain/names.ts';
import { visibleName } from '../domain/visible-name.ts';
import { checkedLine } from '../incidents/texts.ts';
import { checkedName } from '../platform/checked-name.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { askedMode, refuseBeyondPlan } from './access-mode.ts';
import { announcePage } from './changed.ts';
import type { StatusPage, StatusPageSettings } from './contract.ts';
import { lockPage, type PageRow } from './lock.ts';
import { showPage } from './row.ts';
import { checkedSlug, countSlugChange, refuseSlugInUse } from './slug.ts';

/**
 * Changes the settings of a status page (docs/rules/status-pages.md#settings). Refuses settings that the plan does not include
 * (402, 403 for the legacy flag), the mode of a shared password that is not set (400), a slug that is empty, reserved or in
 * use, and the fourth change of the slug within a week (429).
 */
export async function updateStatusPage(
  work: Work,
  pageId: string,
  body: StatusPageSettings,
): Promise<StatusPage> {
  const row = await lockPage(work, pageId);
  await refuseBeyondPlan(work.tx, row, body);
  const before = showPage(row);
  refuseReadOnly(before, body);
  if (body.monitor_count !== undefined)
    refuseChangedReadOnly(
      { monitor_count: body.monitor_count },
      { monitor_count: await countMonitors(work, pageId) },
    );
  const settings = validateSettings(row, body);
  if (settings.slug !== row.slug) await countSlugChange(work, pageId);
  const changed = await work.tx
    .updateTable('status_pages')
    .set({ ...settings, header_nav: JSON.stringify(settings.header_nav) })
    .where('id', '=', pageId)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => refuseSlugInUse(error, settings.slug));
  const after = showPage(changed);
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: row.org_id,
    action: 'status_page.update',
    resource: { kind: 'status_page', id: pageId, name: after.name },
    before,
    after,
  });
  return after;
}

async function countMonitors({ tx }: Work, pageId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('status_page_monitors')
    .select((get) => get.fn.countAll<string>().as('n'))
    .where('status_page_id', '=', pageId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Refuses read-only fields with another value than the stored one. */
export function refuseReadOnly(page: StatusPage, body: Partial<StatusPageSettings>): void {
  const { id, organization_id, shared_password_protected, shared_password_set } = body;
  refuseChangedReadOnly({ id, organization_id, shared_password_protected, shared_password_set }, page);
}

/** All settings after a write; an absent or null field keeps its value. */
export function validateSettings(row: PageRow, body: StatusPageSettings) {
  const mode = askedMode(row.access_mode as AccessMode, body);
  if (mode === 'shared_password' && row.shared_password_hash === null)
    refuse('invalid_request', 'access_mode can be shared_password only once a shared password is set.', {
      field: 'access_mode',
    });
  return {
    name: checkedName(body.name),
    enabled: body.enabled,
    access_mode: mode,
    description: body.description == null ? row.description : textOrNull(body.description),
    headline: body.headline == null ? row.headline : lineOrNull(body.headline, 'headline'),
    header_nav: body.header_nav == null ? row.header_nav : body.header_nav.map(checkedLink),
    collapsed_groups:
      body.collapsed_groups == null ? row.collapsed_groups : checkedGroups(body.collapsed_groups),
    hide_platform_brand: body.hide_platform_brand ?? row.hide_platform_brand,
    auto_link_incidents: body.auto_link_incidents ?? row.auto_link_incidents,
    timezone: body.timezone == null ? row.timezone : checkedZone(body.timezone),
    slug: !body.slug || body.slug === row.slug ? row.slug : checkedSlug(body.slug, 'slug'),
  };
}

/** A text of several lines without deceptive characters; null if none of it is visible. */
const textOrNull = (text: string) => visibleName(text) || null;

/** A single line without deceptive characters; null if none of it is visible. */
export const lineOrNull = (text: string, field: string) =>
  visibleName(text) === '' ? null : checkedLine(text, field);

function checkedLink({ label, href: given }: { label: string; href: string }, i: number) {
  const href = given.trim();
  const problem = hrefProblem(href);
  if (problem !== null)
    refuse('invalid_request', `header_nav.${i}.href ${problem}.`, { field: `header_nav.${i}.href` });
  return { label: checkedLine(label, `header_nav.${i}.label`), href };
}

const checkedGroups = (groups: readonly string[]) => [
  ...new Set(groups.map((group, i) => checkedLine(group, `collapsed_groups.${i}`))),
];

function checkedZone(zone: string): string {
  if (!isTimezone(zone))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  return canonicalZone(zone);
}
