import type { HttpConfig } from '../../src/monitors/config/http.ts';
import type { Finding } from '../observation.ts';

type Keyword = NonNullable<HttpConfig['keyword']>;

/** Why the body does not satisfy the keyword, or undefined. Shows the keyword, never the body. */
export async function keywordFinding(keyword: Keyword, text: string): Promise<Finding | undefined> {
  const { mode, case_sensitive: exact } = keyword;
  const shown = keyword.text.length > 100 ? `${keyword.text.slice(0, 99)}…` : keyword.text;
  const mismatch = (what: string): Finding => ({
    failureClass: 'body_mismatch',
    layer: 'target_app',
    detail: `The body ${what} "${shown}"`,
  });
  if (mode === 'regex') {
    const { occurs } = await import('./pattern.ts');
    return occurs(keyword.text, text, exact) ? undefined : mismatch('does not match');
  }
  const found = exact ? text.includes(keyword.text) : text.toLowerCase().includes(keyword.text.toLowerCase());
  if (mode === 'contains') return found ? undefined : mismatch('does not contain');
  return found ? mismatch('contains') : undefined;
}
