// The access mode that a write requests, and whether the plan includes it (docs/rules/status-pages.md#access).
import { ACCESS_MODES, type AccessMode } from '../domain/names.ts';
import { hasCapability } from '../organizations/rights.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { PageRow } from './lock.ts';

/** The fields that decide the mode; the body may not be validated yet. */
export type AskedAccess = {
  access_mode?: unknown;
  public_viewable?: unknown;
  password_protected?: unknown;
  hide_platform_brand?: unknown;
};

const isPrivate = (mode: AccessMode) => mode === 'shared_password' || mode === 'viewer_login';

/** The requested mode: `access_mode`, or otherwise the two legacy flags, of which an absent one is false. */
export function askedMode(current: AccessMode, asked: AskedAccess): AccessMode {
  if (asked.access_mode != null) return ACCESS_MODES.find((mode) => mode === asked.access_mode) ?? current;
  if (asked.password_protected === true) return 'viewer_login';
  if (asked.public_viewable === true) return 'public';
  return current === 'shared_password' ? current : 'draft';
}

/**
 * Refuses modes that the plan does not include: a private mode (402 `plan_capability`; 403 for the legacy flag), and hiding the
 * brand (402). Only turning it on is refused: a page keeps its mode after a downgrade.
 */
export async function refuseBeyondPlan(
  db: Database,
  page: Pick<PageRow, 'org_id' | 'access_mode' | 'hide_platform_brand'>,
  asked: AskedAccess,
): Promise<void> {
  const mode = askedMode(page.access_mode as AccessMode, asked);
  const turnsPrivate = isPrivate(mode) && mode !== page.access_mode;
  if (turnsPrivate && !(await hasCapability(db, page.org_id, 'private_status_pages'))) {
    if (asked.access_mode == null)
      refuse(
        'forbidden',
        "password_protected: the organization's plan does not include private status pages.",
        {
          field: 'password_protected',
        },
      );
    refuseCapability('private_status_pages');
  }
  const hides = asked.hide_platform_brand === true && !page.hide_platform_brand;
  if (hides && !(await hasCapability(db, page.org_id, 'white_label'))) refuseCapability('white_label');
}

function refuseCapability(capability: 'private_status_pages' | 'white_label'): never {
  return refuse('plan_capability', `The organization's plan does not include ${capability}.`, {
    field: capability,
  });
}
