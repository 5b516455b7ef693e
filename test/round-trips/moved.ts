// What of an organization is not the same at another installation, and why (docs/rules/command-line.md#import).
import { readFileSync } from 'node:fs';
import type { Stage } from './stage.ts';

type Side = 'before' | 'after';
type Data = Record<string, unknown>;

/** Answers that both installations may give differently: `why` is a sentence of the rules. */
const LEFT_OUT: readonly (readonly [path: RegExp, fields: RegExp, why: string])[] = [
  [/\/timeline$/, /^id$/, 'a number of the installation, in the order in which entries were written'],
  [/\/regions$/, /^online$/, 'probes belong to the installation'],
  [
    /\/checks$|\/regions$/,
    /^(id|check_id)$/,
    'ids of checks have the number of the monitor at the installation',
  ],
  [/\/overview$/, /^uptime$/, 'the figure is kept for a while'],
  [/\/heartbeat$/, /^(due_at_unix|late_at_unix|next)$/, 'the next ping is expected anew from the import on'],
];

/** Makes answers of two installations comparable: people have their addresses instead of ids. */
export function comparedAfterMove({ app, other, people, there }: Stage) {
  const idsOf = (side: Side) => {
    const [alice, others] = side === 'before' ? [app.alice, people] : [other.alice, there];
    return new Map([
      [alice.userId, alice.email],
      ...others.map(({ userId, email }) => [userId, email] as const),
    ]);
  };
  const before = idsOf('before');
  // Entries of the log keep the ids that people had.
  const ids = { before, after: new Map([...before, ...idsOf('after')]) };
  const named = (side: Side) => (text: string) => {
    let said = text;
    for (const [id, email] of ids[side]) said = said.replaceAll(id, email);
    return said;
  };
  const clean = (path: string, body: unknown, side: Side): unknown => {
    if (body === undefined) return undefined;
    // The import is an entry itself.
    if (/\/activity$/.test(path) && side === 'after' && Array.isArray(body)) body.shift();
    const said = JSON.parse(named(side)(JSON.stringify(body))) as unknown;
    return LEFT_OUT.filter(([of]) => of.test(path)).reduce<unknown>(
      (left, [, fields]) =>
        JSON.parse(JSON.stringify(left, (key, value) => (fields.test(key) ? undefined : value))),
      said,
    );
  };
  return { clean, named: { before: named('before'), after: named('after') } };
}

/** The lines of an export, by kind. */
export function linesOf(path: string, named: (text: string) => string): Record<string, Data[]> {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const byKind = Map.groupBy(
    lines.map((line) => JSON.parse(named(line)) as { kind: string; data: Data }),
    ({ kind }) => kind,
  );
  const read = Object.fromEntries([...byKind].map(([kind, all]) => [kind, all.map(({ data }) => data)]));
  return {
    ...read,
    activity: (read.activity ?? []).filter(({ action }) => action !== 'organization.import'),
    organization: (read.organization ?? []).map(
      ({ activity_no: _no, activity_hash: _hash, ...rest }) => rest,
    ),
  };
}
