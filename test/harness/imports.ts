// Reads the import graph of the tree: which file names which other file or package.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export type Import = {
  /** Path from the root with slashes: src/config/config.ts */
  from: string;
  /** A path of the same kind, or a package name (node:net, pg). */
  to: string;
  local: boolean;
  typeOnly: boolean;
  /** Names in braces; empty for a namespace, a default or a dynamic import. */
  names: string[];
};

/** All TypeScript files under the folders, tests included; paths from the root, with slashes. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    let entries: ReturnType<typeof list> = [];
    try {
      entries = list(join(ROOT, folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return entries
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(ROOT.length + 1)
          .split(sep)
          .join('/'),
      )
      .filter((path) => !path.endsWith('.d.ts'))
      .sort();
  });
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Text without comments and quoted strings, for rules about words in code. */
export function codeOf(path: string): string {
  return textOf(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

/** The imports of one file: static, re-exported, dynamic, and built-in modules fetched by name. */
export function importsOf(path: string): Import[] {
  const text = textOf(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  const found: Import[] = [];
  const add = (specifier: string, clause: string) => {
    const local = /^[.#]/.test(specifier);
    const to = local ? pathOf(specifier, path) : specifier;
    const braces = /\{([^}]*)\}/.exec(clause)?.[1];
    const parts = (braces ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    const typeOnly =
      /^\s*type\b/.test(clause) || (parts.length > 0 && parts.every((part) => part.startsWith('type ')));
    const names = parts.map((part) => part.replace(/^type /, '').split(/\s+as\s+/)[0] ?? '');
    found.push({ from: path, to, local, typeOnly, names });
  };
  for (const match of text.matchAll(/^\s*(?:import|export)\s+([^'";]*?)\s*from\s*'([^']+)'/gm))
    add(match[2]!, match[1]!);
  for (const match of text.matchAll(/^\s*import\s*'([^']+)'/gm)) add(match[1]!, '');
  for (const match of text.matchAll(/\b(?:import|getBuiltinModule|require)\(\s*'([^']+)'/g))
    add(match[1]!, '');
  return found;
}

/** The file that a local specifier names: relative to `from`, or by the `imports` of package.json. */
function pathOf(specifier: string, from: string): string {
  if (specifier.startsWith('#web/')) return specifier.replace('#web/', 'web/src/');
  if (specifier.startsWith('#')) return specifier.slice(1);
  return normalize(join(dirname(from), specifier))
    .split(sep)
    .join('/');
}

/** One cycle of files that import each other, or null; `edges` maps a file to its imports. */
export function findRing(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): string[] | null => {
    const at = way.indexOf(file);
    if (at >= 0) return [...way.slice(at), file];
    if (done.has(file)) return null;
    way.push(file);
    for (const next of edges.get(file) ?? []) {
      const ring = visit(next);
      if (ring) return ring;
    }
    way.pop();
    done.add(file);
    return null;
  };
  for (const file of edges.keys()) {
    const ring = visit(file);
    if (ring) return ring;
  }
  return null;
}

function list(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
