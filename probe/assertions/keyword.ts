import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Finding, OnJudgement } from '../check-outcome.ts';
import { occursIn } from './occurrence.ts';

type Keyword = NonNullable<HttpConfig['keyword']>;

const ASKED = { contains: 'contains', not_contains: 'does not contain', regex: 'matches' } as const;
const UNMET = { contains: 'does not contain', not_contains: 'contains', regex: 'does not match' } as const;

/** Why the body does not satisfy the keyword, or undefined. Shows the keyword, never the body. */
export async function keywordFinding(
  keyword: Keyword,
  text: string,
  onJudgement?: OnJudgement,
): Promise<Finding | undefined> {
  const { mode } = keyword;
  const shown = `"${keyword.text.length > 100 ? `${keyword.text.slice(0, 99)}…` : keyword.text}"`;
  const ok = (await found(text, keyword)) === (mode !== 'not_contains');
  onJudgement?.({
    what: 'Keyword',
    expected: `${ASKED[mode]} ${shown}`,
    actual: ok ? `${ASKED[mode]} it` : `${UNMET[mode]} it`,
    ok,
  });
  return ok
    ? undefined
    : { failureClass: 'body_mismatch', layer: 'target_app', detail: `The body ${UNMET[mode]} ${shown}` };
}

async function found(text: string, { text: wanted, mode, case_sensitive: exact }: Keyword) {
  if (mode !== 'regex')
    return exact ? occursIn(text, wanted) : occursIn(text.toLowerCase(), wanted.toLowerCase());
  const { occurs } = await import('./pattern.ts');
  return occurs(wanted, text, exact);
}
