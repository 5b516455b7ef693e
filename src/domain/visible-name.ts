// Names that people give: what is shown must be something that can be seen.

/** Nothing but blanks, control and format characters, and others that are drawn as nothing. */
const INVISIBLE = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The name without blanks around it; '' when nothing of it can be seen. */
export function visibleName(text: string): string {
  return INVISIBLE.test(text) ? '' : text.trim();
}
