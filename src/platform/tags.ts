// Tags of monitors (docs/rules/monitor-types.md#tags).
import { refuse } from './refusals.ts';

export const MAX_TAGS = 20;
export const LONGEST_TAG = 50;

/** Letters, digits and common separators; no comma, which separates tags, and no blank at either end. */
const TAG = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_.:/@+# -]*[\p{L}\p{M}\p{N}_.:/@+#-])?$/u;

/** Tags as they are stored: trimmed, in lower case, each once. Refuses with 400 on `tags`. */
export function checkedTags(given: readonly string[]): string[] {
  const tags = [...new Set(given.map(normalizedTag))];
  for (const tag of tags) if (!isTag(tag)) refuseTag(tag);
  if (tags.length > MAX_TAGS)
    refuse('invalid_request', `tags has ${tags.length} tags; at most ${MAX_TAGS} are possible.`, {
      field: 'tags',
    });
  return tags;
}

/** A tag in the form in which tags are compared: "Prod" and "prod " are the same. */
export const normalizedTag = (text: string): string => text.normalize('NFC').trim().toLowerCase();

const isTag = (tag: string): boolean => [...tag].length <= LONGEST_TAG && TAG.test(tag);

function refuseTag(tag: string): never {
  const shown = JSON.stringify(tag.length > 80 ? `${tag.slice(0, 80)}…` : tag);
  return refuse(
    'invalid_request',
    `tags cannot contain ${shown}: give each tag by itself, with 1 to ${LONGEST_TAG} letters, digits, blanks or any of _ . : / @ + # -, and a letter or digit first.`,
    { field: 'tags', reason: 'invalid_tag' },
  );
}
