// The template for pages that the server renders itself: it escapes every value except our own markup.

/** Markup that needs no escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Inserted = string | number | Markup | null | readonly Inserted[];

/**
 * A piece of a page. Values are escaped for text and quoted attributes, pieces made by this template stay as they are,
 * lists are joined, and null is empty. Never insert into a script, a style, or an attribute without quotes.
 */
export function html(parts: TemplateStringsArray, ...inserted: Inserted[]): Markup {
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at++) text += shown(inserted[at - 1] ?? null) + parts[at];
  return new Markup(text);
}

function shown(value: Inserted): string {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(shown).join('');
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
