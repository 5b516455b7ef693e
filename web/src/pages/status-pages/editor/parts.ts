/** The parts of the status page editor; `preview` is a part only where it does not fit beside the others. */
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

/** The part that an address names; undefined if it names none. */
export const readEditorPart = (value: unknown): EditorPart | undefined =>
  EDITOR_PARTS.find((part) => part === value);
