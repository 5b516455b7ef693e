// The text of a post-mortem while it is written: what differs from the server's lies on top of it. Pure.
import { POSTMORTEM_FIELDS } from '#src/domain/names.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';

export type Field = (typeof POSTMORTEM_FIELDS)[number];
export type Writable = Field | 'visibility';
export type Draft = Partial<Record<Writable, string>>;

/** A post-mortem of which nothing is written. */
export const EMPTY: Postmortem = {
  ...(Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, ''])) as Record<Field, string>),
  status: 'draft',
  visibility: 'internal',
  published_at_unix: null,
};

/** Characters that a field takes. */
export const maxLengthOf = (field: Field): number => (field === 'title' ? 200 : 20_000);

/** Fields that are longer than the server takes. */
export const tooLong = (draft: Draft): Field[] =>
  POSTMORTEM_FIELDS.filter((field) => (draft[field]?.length ?? 0) > maxLengthOf(field));

/** What is left to save when `sent` was saved: whatever was written meanwhile. */
export function afterSave(draft: Draft, sent: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([field, text]) => sent[field as Writable] !== text),
  );
}
