// Finds changes of a migration that servers of the previous version might not survive
// (docs/rules/upgrades.md#what-a-migration-may-do), as far as its SQL shows them.
import { statementsOf } from '#src/platform/db/plan/statements.ts';

const NAME = '(?:IF (?:NOT )?EXISTS )?(?:ONLY )?"?([a-z_][a-z0-9_]*)"?';

/** One sentence for each; tables that the file itself creates do not count. */
export function objectionsTo(sql: string): string[] {
  const statements = statementsOf(sql).map(({ text, line }) => ({ text: bare(text), line }));
  const own = new Set(
    statements.map(({ text }) => match(text, `^CREATE (?:TEMP |TEMPORARY )?TABLE ${NAME}`)?.[1]),
  );
  return statements.flatMap(({ text, line }) => {
    const say = (what: string) => `line ${line}: ${what}`;
    const dropped = match(text, `^DROP (TABLE|VIEW|MATERIALIZED VIEW|FUNCTION|TYPE|SEQUENCE) ${NAME}`);
    if (dropped && !own.has(dropped[2]))
      return [say(`drops ${dropped[2]}, which the version before may use`)];
    const emptied = match(text, `^TRUNCATE (?:TABLE )?${NAME}`);
    if (emptied && !own.has(emptied[1])) return [say(`empties ${emptied[1]}`)];
    const unique = match(text, `^CREATE UNIQUE INDEX .*?ON ${NAME}`);
    if (unique && !own.has(unique[1]))
      return [say(`may refuse rows of ${unique[1]} that the version before writes`)];
    const altered = match(text, `^ALTER (TABLE|TYPE|FUNCTION) ${NAME} (.*)$`);
    if (!altered || own.has(altered[2])) return [];
    return actionsOf(altered[3] ?? '').flatMap((action) => {
      const objection = objectionTo(action);
      return objection === null ? [] : [say(`${objection} (${altered[2]}: ${action})`)];
    });
  });
}

const REFUSED: [RegExp, string][] = [
  [/^RENAME /i, 'gives a name away that the version before uses'],
  [/^DROP CONSTRAINT (?:IF EXISTS )?\S+_check$/i, ''],
  [/^DROP CONSTRAINT /i, 'takes a constraint away that an ON CONFLICT of the version before may name'],
  [/^DROP /i, 'drops what the version before may read'],
  [/^ALTER (?:COLUMN )?\S+ DROP NOT NULL/i, ''],
  [/^ALTER (?:COLUMN )?\S+ DROP /i, 'takes away what the version before relies on when it inserts'],
  [/^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE /i, 'gives a column another type'],
  [/^ALTER (?:COLUMN )?\S+ SET NOT NULL/i, 'refuses what the version before may leave out'],
  [
    /^ADD (?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)\b/i,
    'may refuse rows that the version before writes',
  ],
  [/^ADD .*\b(?:DEFAULT|GENERATED)\b/i, ''],
  [/^ADD .*\bNOT NULL\b/i, 'wants a column that the version before does not fill, without a default'],
];

function objectionTo(action: string): string | null {
  const [, objection = ''] = REFUSED.find(([pattern]) => pattern.test(action)) ?? [];
  return objection === '' ? null : objection;
}

/** Without comments, on one line. */
const bare = (text: string) =>
  text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const match = (text: string, pattern: string) => new RegExp(pattern, 'i').exec(text);

/** Splits at commas outside of brackets and strings. */
function actionsOf(text: string): string[] {
  const actions: string[] = [''];
  let depth = 0;
  for (const part of text.match(/'(?:[^']|'')*'|[(),]|[^'(),]+/g) ?? []) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (part === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += part;
  }
  return actions.map((action) => action.trim());
}
