import slugify from '@sindresorhus/slugify';

const MAX_LENGTH = 63;

/**
 * The slug of a name: lower-case ASCII letters, digits and single hyphens, at most 63 characters, transliterated if
 * possible; '' if nothing is left (docs/rules/errors-and-conventions.md#slugs).
 */
export function slugFrom(name: string): string {
  const slug = slugify(name, { decamelize: false, lowercase: true, separator: '-' });
  return slug.slice(0, MAX_LENGTH).replace(/-+$/, '');
}
