// Browser-safe. Labels of host agents: one text, `key=value` or bare labels with commas between them
// (docs/rules/agents.md#labels).

/** Labels of one agent, and the characters of the whole text. */
export const MAX_LABELS = 50;
export const MAX_LABEL_CHARACTERS = 1000;

const KEY = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/@:-]{0,62}$/u;
const VALUE = /^[^\p{C},]{0,200}$/u;

export type ReadLabels = { ok: true; labels: Map<string, string | null> } | { ok: false; problem: string };

/** The labels of a text by their key; a bare label has no value. `problem` is the end of a sentence about the text. */
export function readLabels(text: string): ReadLabels {
  const labels = new Map<string, string | null>();
  for (const part of text.split(',')) {
    const label = part.trim();
    if (label === '') continue;
    const equals = label.indexOf('=');
    const key = equals === -1 ? label : label.slice(0, equals).trimEnd();
    const value = equals === -1 ? null : label.slice(equals + 1).trimStart();
    const shown = JSON.stringify(label.slice(0, 80));
    if (!KEY.test(key))
      return no(
        `has ${shown}: a label begins with a letter or digit, and goes on with letters, digits and . _ - / @ : only, 63 at most`,
      );
    if (value !== null && !VALUE.test(value))
      return no(`has ${shown}: a value has 200 characters at most, and no control characters`);
    if (labels.has(key)) return no(`names ${JSON.stringify(key)} twice`);
    labels.set(key, value);
  }
  if (labels.size > MAX_LABELS) return no(`has ${labels.size} labels; ${MAX_LABELS} are the most`);
  return { ok: true, labels };
}

/** The text of labels, as it is stored and shown. */
export const writeLabels = (labels: ReadonlyMap<string, string | null>): string =>
  [...labels].map(([key, value]) => (value === null ? key : `${key}=${value}`)).join(',');

/** Labels laid over others by their key; the others keep their places. */
export const layLabels = (
  under: ReadonlyMap<string, string | null>,
  over: ReadonlyMap<string, string | null>,
): Map<string, string | null> => new Map([...under, ...over]);

const no = (problem: string): ReadLabels => ({ ok: false, problem });
