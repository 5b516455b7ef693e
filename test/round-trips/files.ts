// Compares configuration files.
import { unlike } from './look.ts';

/** Lists of things in the order of their names: the order in which they were made is nobody's. */
const ORDERED = new Set([
  'projects',
  'monitors',
  'webhooks',
  'alert_profiles',
  'status_pages',
  'members',
  'depends_on',
  'tags',
]);
export const sorted = (file: unknown): unknown =>
  JSON.parse(JSON.stringify(file), (key, value) => {
    if (ORDERED.has(key) && Array.isArray(value) && key !== 'roster')
      return [...value].sort((a, b) => (JSON.stringify(byName(a)) < JSON.stringify(byName(b)) ? -1 : 1));
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  });
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const byName = (value: unknown) =>
  isRecord(value) ? [value.kind, value.name ?? value.monitor, value] : value;

/** Everything that the file says is so; what it does not say may be as it likes. */
export function lacking(said: unknown, is: unknown, place: string): string[] {
  if (Array.isArray(said) && Array.isArray(is) && said.some(isRecord))
    return said.flatMap((each) => {
      const other = is.find((one) => isRecord(one) && isRecord(each) && nameIn(one) === nameIn(each));
      return lacking(each, other, `${place}[${nameIn(each)}]`);
    });
  if (isRecord(said) && isRecord(is) && !place.endsWith('.headers'))
    return Object.keys(said).flatMap((key) => lacking(said[key], is[key], `${place}.${key}`));
  return unlike(said, is, place);
}
const nameIn = (value: unknown) =>
  isRecord(value) ? `${value.kind ?? ''} ${value.slug ?? value.name ?? value.monitor ?? value.href}` : '';
