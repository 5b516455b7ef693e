// Who may see a status page, of the flags that it is told in.
import type { AccessMode } from '#src/domain/names.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';

type Flags = Pick<
  StatusPage,
  'enabled' | 'public_viewable' | 'password_protected' | 'shared_password_protected'
>;

/** `off`: it has an access mode, and is switched off all the same. */
export type PageAccess = AccessMode | 'off';

/** The access mode; exactly one flag is true, or none for a draft (docs/rules/status-pages.md#access). */
export function accessModeOf(page: Flags): AccessMode {
  if (page.password_protected) return 'viewer_login';
  if (page.shared_password_protected) return 'shared_password';
  return page.public_viewable ? 'public' : 'draft';
}

/** What becomes of whoever opens the page now. */
export function accessOf(page: Flags): PageAccess {
  const mode = accessModeOf(page);
  return mode !== 'draft' && !page.enabled ? 'off' : mode;
}

/** Whether anybody outside reaches the page at all. */
export const isOnline = (page: Flags): boolean => !['draft', 'off'].includes(accessOf(page));

/** Path of the page that visitors open. */
export const pagePath = (slug: string): string => `/status/${slug}`;

/** The same with the address of this installation. */
export const pageAddress = (slug: string): string => `${window.location.origin}${pagePath(slug)}`;
