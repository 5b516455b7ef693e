// The draft of a post-mortem: local changes on top of the stored text. Pure.
import { POSTMORTEM_FIELDS } from '#src/domain/names.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';

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

/** The changes that remain after `sent` was saved: everything written meanwhile. */
export function afterSave(draft: Draft, sent: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([field, text]) => sent[field as Writable] !== text),
  );
}
