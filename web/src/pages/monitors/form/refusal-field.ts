// Maps a refusal to its field: the server names a path in the monitor, the form has fields in collapsible sections.
import type { AnyForm } from '../types/type-form.ts';
import type { MonitorValues } from './values.ts';

/** `basics` is always open, `alarm` is the collapsible section of every type, any other belongs to a type. */
export type Section = string;

/** The section with the field of a path. */
export function sectionOf({ sections }: AnyForm, path: string): Section {
  const [first = '', second = ''] = path.split('.');
  if (['policy', 'alarm_gate', 'depends_on'].includes(first)) return 'alarm';
  if (first !== 'config') return 'basics';
  return sections.find((section) => section.fields.includes(second))?.id ?? 'basics';
}

/** The form's path for a server's path; null if the form has no such field. */
export function formPathOf({ aliases }: AnyForm, field: string, values: MonitorValues): string | null {
  const path = field.replace(/\[(\d+)\]/g, '.$1');
  const parts = path.split('.');
  let node: unknown = values;
  for (const [at, part] of parts.entries()) {
    if (Array.isArray(node)) {
      const place = parts.slice(0, at).join('.');
      // A list of plain texts is one field in the form, whichever entry is invalid.
      if (node.length === 0 || typeof node[0] !== 'object') return place;
      if (!/^\d+$/.test(part)) return lineOf(node, place, parts.slice(at).join('.'));
    }
    if (typeof node !== 'object' || node === null || !(part in node)) return null;
    node = (node as Record<string, unknown>)[part];
  }
  const alias = path.startsWith('config.') ? aliases?.[path.slice(7)] : undefined;
  if (alias !== undefined) return `config.${alias}`;
  if (path === 'alarm_gate') return 'alarm_gate.origins';
  if (Array.isArray(node)) return path;
  return typeof node === 'object' && node !== null ? null : path;
}

/** Headers are a map in the API and rows in the form; their names may contain dots. */
function lineOf(lines: readonly { name?: string }[], place: string, name: string): string | null {
  const at = lines.findIndex((line) => line.name?.trim().toLowerCase() === name.toLowerCase());
  return at < 0 ? null : `${place}.${at}.name`;
}
