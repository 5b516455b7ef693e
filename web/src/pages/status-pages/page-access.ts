// The access mode of a status page, derived from its flags.
import type { AccessMode } from '#src/domain/names.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';

type Flags = Pick<
  StatusPage,
  'enabled' | 'public_viewable' | 'password_protected' | 'shared_password_protected'
>;

/** `off`: it has an access mode, but is switched off. */
export type PageAccess = AccessMode | 'off';

/** The access mode; exactly one flag is true, or none for a draft (docs/rules/status-pages.md#access). */
export function accessModeOf(page: Flags): AccessMode {
  if (page.password_protected) return 'viewer_login';
  if (page.shared_password_protected) return 'shared_password';
  return page.public_viewable ? 'public' : 'draft';
}

/** The result for a visitor who opens the page now. */
export function accessOf(page: Flags): PageAccess {
  const mode = accessModeOf(page);
  return mode !== 'draft' && !page.enabled ? 'off' : mode;
}

/** Whether anybody outside can reach the page at all. */
export const isOnline = (page: Flags): boolean => !['draft', 'off'].includes(accessOf(page));

/** The path of the public page. */
export const pagePath = (slug: string): string => `/status/${slug}`;

/** The same with the origin of this installation. */
export const pageAddress = (slug: string): string => `${window.location.origin}${pagePath(slug)}`;
