// Browser-safe. Which addresses a link in the header of a status page may have (docs/rules/status-pages.md#settings).
import { visibleName } from './visible-name.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** Stands for the page: a relative address must not lead away from it. */
const PAGE = 'https://page.invalid/status/page';

/**
 * Why an address is refused, as the end of a sentence that begins with the field; null where it is accepted: http, https,
 * mailto, or relative to the page. Backslashes, blanks and control characters are refused outright, since browsers read
 * them as something else.
 */
export function hrefProblem(href: string): string | null {
  if (href === '') return 'must not be empty';
  if (/[\p{Cc}\p{Z}\\]/u.test(href) || visibleName(href) !== href)
    return 'must not contain blanks, backslashes, control characters or invisible ones';
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  if (scheme === 'mailto')
    return /^mailto:[^?]*[^?]@[^?]/i.test(href) ? null : 'must name an address after mailto:';
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return 'must be an http, https or mailto address, or relative to the page';
  if (scheme === undefined && href.startsWith('//')) return 'must not begin with //: name http or https';
  if (scheme !== undefined && !/^https?:\/\/[^/?#]/i.test(href)) return 'must name a host';
  const url = URL.parse(href, PAGE);
  if (url === null) return 'is not an address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (scheme === undefined && url.origin !== new URL(PAGE).origin) return 'must be relative to the page';
  return null;
}
