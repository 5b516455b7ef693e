/** Parts of the editor of a status page; `preview` is a part where there is no room for it beside the others. */
export const EDITOR_PARTS = [
  'general',
  'monitors',
  'look',
  'access',
  'domains',
  'subscribers',
  'preview',
] as const;
export type EditorPart = (typeof EDITOR_PARTS)[number];

/** The part that an address names; undefined where it names none. */
export const readEditorPart = (value: unknown): EditorPart | undefined =>
  EDITOR_PARTS.find((part) => part === value);
