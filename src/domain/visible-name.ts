// Cleans the names that people enter: a name must be visible, and must be what it looks like.

import { RIGHT_TO_LEFT } from './direction.ts';

/**
 * Only blanks, control and format characters, others that are drawn as nothing, and accents without a letter: they are drawn over
 * what stands before them, and are too narrow to be pressed.
 */
const INVISIBLE = /^[\p{C}\p{Z}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Direction controls, which show the following text in another order, and zero-width characters that no script needs. Two
 * names that differ only in these look the same.
 */
const DECEIVING =
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\u206a-\u206f\u00ad\u180e\ufeff\ufff9-\ufffb]/gu;

const anyOf = (scripts: string) =>
  scripts.replace(/\w+/g, (script) => `\\p{scx=${script}}`).replaceAll(' ', '');
const JOINING = anyOf('Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Nkoo');
const JOINERS = '[\\u200c\\u200d]';
/** Joiners belong after letters of scripts that join, and between the parts of an emoji; one at a time. */
const STRAY_JOINER = new RegExp(
  `(?<![${JOINING}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])${JOINERS}+|(?<=${JOINERS})${JOINERS}+`,
  'gu',
);

/** Direction marks without an effect of their own, useful beside letters that run from right to left. */
const MARKS = /[\u200e\u200f\u061c]/gu;

/** The name, trimmed and without deceptive characters; '' if nothing of it is visible. */
export function visibleName(text: string): string {
  if (INVISIBLE.test(text)) return '';
  const honest = text.replace(DECEIVING, '').replace(STRAY_JOINER, '');
  return (RIGHT_TO_LEFT.test(honest) ? honest : honest.replace(MARKS, '')).trim();
}
