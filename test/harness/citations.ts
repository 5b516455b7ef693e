// Reads the citations in comments and pages, and reports those whose target does not exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { ROOT } from './imports.ts';

export type Source = { path: string; text: string };

/** `docs/…` with or without a heading, as comments and pages cite it; not the end of an address or of another path. */
const CITED = /(?<![\w/.-])docs\/[\w./-]*\w(?:#[\w-]*\w)?/g;
const LINK = /\]\(([^()\s]+)\)/g;
/** Numbered sections of documents that are not in the repository. */
const OUTSIDE =
  /\b(?:decisions|interface|reliability|architecture)(?:, *(?:sections? *)?| +sections? *| *§ *)\d+/gi;
/** The end of one line of a comment and the beginning of the next. */
const LINE_BREAK = /\s*\n[ \t]*(?:\/\/|\*(?!\/)|--)?[ \t]*/g;

/** Every page of `docs/` and the pages at the root, by their paths from the root. */
export function pages(): Source[] {
  const underDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const atRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  return [...atRoot, ...underDocs].sort().map(sourceOf);
}

export const sourceOf = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** Citations of files under docs/, or of their headings, without a target. */
export function lostCitations({ path, text }: Source): string[] {
  return [...text.matchAll(CITED)]
    .filter(([cited]) => !leadsSomewhere(cited))
    .map(([cited]) => `${path}: ${cited}`);
}

/** Relative links of a page without a file, or without a heading of it. */
export function lostLinks({ path, text }: Source): string[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter(
      (target) => !leadsSomewhere(target.startsWith('#') ? path + target : posix.join(dirname(path), target)),
    )
    .map((target) => `${path}: ${target}`);
}

/** Citations of numbered sections, even across the lines of a comment. */
export function citationsOfOutside({ path, text }: Source): string[] {
  return [...text.replace(LINE_BREAK, ' ').matchAll(OUTSIDE)].map(([cited]) => `${path}: ${cited.trim()}`);
}

function leadsSomewhere(target: string): boolean {
  const [path = '', heading] = target.split('#');
  if (!existsSync(join(ROOT, path))) return false;
  return heading === undefined || (path.endsWith('.md') && headingsOf(path).has(heading));
}

const known = new Map<string, Set<string>>();

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(path: string): Set<string> {
  const found = known.get(path);
  if (found) return found;
  const anchors = new Set<string>();
  for (const [, title] of withoutCode(sourceOf(path).text).matchAll(/^#{1,6} +(.+?)\s*$/gm)) {
    const anchor = title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let free = anchor;
    for (let again = 1; anchors.has(free); again++) free = `${anchor}-${again}`;
    anchors.add(free);
  }
  known.set(path, anchors);
  return anchors;
}

const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');
