// The draft of a post-mortem: local changes on top of the stored text. Pure.
import { POSTMORTEM_FIELDS } from '#src/domain/names.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import { type Clash, changedOf, clashesOf, mergedOf, type Prefer } from '#web/meanwhile/clashes.ts';

export type Field = (typeof POSTMORTEM_FIELDS)[number];
export type Writable = Field | 'visibility';
export type Draft = Partial<Record<Writable, string>>;

/** An empty post-mortem. */
export const EMPTY: Postmortem = {
  ...(Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, ''])) as Record<Field, string>),
  status: 'draft',
  visibility: 'internal',
  published_at_unix: null,
};

/** The maximum length of a field, in characters. */
export const maxLengthOf = (field: Field): number => (field === 'title' ? 200 : 20_000);

/** The fields that exceed the maximum length. */
export const tooLong = (draft: Draft): Field[] =>
  POSTMORTEM_FIELDS.filter((field) => (draft[field]?.length ?? 0) > maxLengthOf(field));

/** The changes that are not saved, and the texts of the same fields before them. */
export type Written = { draft: Draft; before: Draft };
export const UNWRITTEN: Written = { draft: {}, before: {} };

/** After `text` was written over `shown`. `first`: the initial content, which is saved with the first change. */
export function withText(
  { draft, before }: Written,
  field: Writable,
  text: string,
  { shown, first }: { shown: Draft; first: Draft | null },
): Written {
  const begun = Object.keys(draft).length === 0 ? first : null;
  return {
    draft: { ...begun, ...draft, [field]: text },
    before: { ...begun, [field]: shown[field], ...before },
  };
}

/** The texts that were changed here and by somebody else; `stored`: null while nothing is. */
export const clashesIn = ({ draft, before }: Written, stored: Postmortem | null): Clash[] =>
  stored === null ? [] : clashesOf(before, draft, stored);

/** What to send: of initial content that nobody has changed, nothing where somebody else has written the post-mortem. */
export const changesIn = ({ draft, before }: Written, stored: Postmortem | null): Draft =>
  stored === null ? draft : changedOf(before, draft);

/** After the reader has decided about the clashes: their changes are counted from what is stored. */
export function settled({ draft, before }: Written, stored: Postmortem, prefer: Prefer): Written {
  const now = of(stored, draft);
  const changed = changedOf(now, mergedOf<Draft>(before, draft, now, prefer));
  return { draft: changed, before: of(now, changed) };
}

/** What remains after `saved` was saved: everything written meanwhile. */
export function afterSave({ draft, before }: Written, saved: Draft): Written {
  const rest = Object.fromEntries(
    Object.entries(draft).filter(([field, text]) => saved[field as Writable] !== text),
  );
  return { draft: rest, before: of({ ...before, ...saved }, rest) };
}

/** The texts of the fields of a draft. */
const of = (texts: Draft, draft: Draft): Draft =>
  Object.fromEntries((Object.keys(draft) as Writable[]).map((field) => [field, texts[field]]));
