// Where in the form a refusal belongs: the server names a path into the monitor, the form has fields and folded sections.
import type { MonitorValues } from './values.ts';

export type Section = 'basics' | 'request' | 'expectation' | 'tls' | 'alarm';

/** First path segments of `config` that live in each folded section; everything else is in the open part. */
const SECTIONS: Record<Exclude<Section, 'basics' | 'alarm'>, readonly string[]> = {
  request: [
    'method',
    'headers',
    'secret_headers',
    'body',
    'auth',
    'timeout_ms',
    'follow_redirects',
    'max_redirects',
    'ip_family',
    'cache_bust',
    'max_body_bytes',
  ],
  expectation: ['expected_status', 'degraded_after_ms', 'keyword', 'json_assertions', 'header_assertions'],
  tls: ['tls'],
};

/** The section that shows a field's path. */
export function sectionOf(path: string): Section {
  const [first, second = ''] = path.split('.');
  if (first === 'policy') return 'alarm';
  if (first !== 'config') return 'basics';
  for (const [section, names] of Object.entries(SECTIONS)) {
    if (names.includes(second)) return section as Section;
  }
  return 'basics';
}

/** The form's path for a server's path; null when no field of the form shows it. */
export function formPathOf(field: string, values: MonitorValues): string | null {
  const path = field.replace(/\[(\d+)\]/g, '.$1');
  if (path.startsWith('config.headers.')) {
    // Header names may hold dots, and the form keeps headers as a list.
    const name = path.slice('config.headers.'.length).toLowerCase();
    const at = values.config.headers.findIndex((header) => header.name.trim().toLowerCase() === name);
    return at < 0 ? null : `config.headers.${at}.name`;
  }
  // These lists are one field in the form, whatever entry is at fault.
  for (const whole of ['config.expected_status', 'regions']) {
    if (path === whole || path.startsWith(`${whole}.`)) return whole;
  }
  let node: unknown = values;
  for (const part of path.split('.')) {
    if (typeof node !== 'object' || node === null || !(part in node)) return null;
    node = (node as Record<string, unknown>)[part];
  }
  if (path === 'config.keyword') return 'config.keyword.text';
  return typeof node === 'object' && node !== null ? null : path;
}
