import { RE2JS } from 're2js';

/** Compiled expressions of users, by flag and source: compiling costs more than most matches. */
const compiled = new Map<string, RE2JS>();
/** Instructions of all cached expressions together: a few megabytes. */
const MAX_INSTRUCTIONS = 20_000;
let instructions = 0;

/**
 * Whether a user's regular expression occurs in the text, in time linear in the text
 * (docs/rules/monitor-types.md#regular-expressions). Throws if RE2 cannot run the expression; the server refuses those on
 * write.
 */
export function occurs(source: string, text: string, caseSensitive: boolean): boolean {
  const key = `${caseSensitive} ${source}`;
  let expression = compiled.get(key);
  if (expression === undefined) {
    expression = RE2JS.compile(source, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    instructions += expression.programSize();
    compiled.set(key, expression);
    for (const [oldest, one] of compiled) {
      if (instructions <= MAX_INSTRUCTIONS) break;
      compiled.delete(oldest);
      instructions -= one.programSize();
    }
  }
  return expression.matcher(text).find();
}

/** Whether the whole text matches (JSONPath's match()); an invalid expression matches nothing. */
export function matchesWhole(source: string, text: string): boolean {
  try {
    return occurs(`^(?:${source})$`, text, true);
  } catch {
    return false;
  }
}
