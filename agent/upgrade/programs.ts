// The fetched newer versions of this program, in a folder of the agent's own. The installed file stays as it is, and runs if
// none of them does (docs/rules/agents.md#upgrading-an-agent).
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBehind } from '#src/domain/version-order.ts';
import { isRecord } from '../heartbeat.ts';

export type Fetched = {
  version: string;
  sha256: string;
  /** Starts since its last success: an answered heartbeat, or an orderly stop. */
  starts: number;
  /** The server has answered it at least once. */
  proven: boolean;
};

/** After this many starts without an answered heartbeat or an orderly stop, it is not started again. */
export const MAX_STARTS = 3;
/** The newest, and the proven one before it. */
const MAX_KEPT = 2;

export type Programs = {
  /** The newest intact version above `version` that has not failed; null: none. */
  newest(version: string): Fetched | null;
  pathOf(fetched: Fetched): string;
  /** Whether a file with this sum was fetched, and failed. */
  hasFailed(sha256: string): boolean;
  /** Keeps a file; throws a sentence if it cannot be written. */
  keep(version: string, bytes: Uint8Array): Fetched;
  /** It is being started: counts until `proven` or `stopped`. Throws if that cannot be written and it is not proven. */
  starting(fetched: Fetched): void;
  /** It cannot be started at all. */
  failed(fetched: Fetched): void;
  /** The running version, if it is one of these, got an answer. */
  proven(version: string): void;
  /** The running version was stopped in order. */
  stopped(version: string): void;
};

/** The folder is created with the first file. */
export function openPrograms(dir: string): Programs {
  const list = join(dir, 'fetched.json');
  const pathOf = ({ sha256 }: Fetched) => join(dir, `tocsin-agent-${sha256.slice(0, 16)}.mjs`);
  const read = (): Fetched[] => readList(list);
  const write = (all: readonly Fetched[]) => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const unfinished = `${list}.new`;
    writeFileSync(unfinished, JSON.stringify(all), { mode: 0o600, flush: true });
    renameSync(unfinished, list);
  };
  /** Returns the reason where it cannot be written: a disk that is full or read-only must not end the agent. */
  const change = (of: (each: Fetched) => boolean, to: (each: Fetched) => Partial<Fetched>): unknown => {
    const all = read();
    if (!all.some(of)) return undefined;
    try {
      write(all.map((each) => (of(each) ? { ...each, ...to(each) } : each)));
      return undefined;
    } catch (error) {
      return error;
    }
  };
  /** Those that failed in this process, which the list may not say. */
  const failedThisRun = new Set<string>();
  const same = (wanted: Fetched) => (each: Fetched) => each.sha256 === wanted.sha256;
  const isUsable = (each: Fetched) =>
    each.starts < MAX_STARTS && !failedThisRun.has(each.sha256) && isWhole(pathOf(each), each.sha256);
  return {
    pathOf,
    newest(version) {
      const candidates = read().filter((each) => isBehind(version, each.version) && isUsable(each));
      return candidates.reduce<Fetched | null>(
        (best, each) => (best === null || isBehind(best.version, each.version) ? each : best),
        null,
      );
    },
    hasFailed: (sha256) =>
      failedThisRun.has(sha256) || read().some((each) => each.sha256 === sha256 && each.starts >= MAX_STARTS),
    keep(version, bytes) {
      const sha256 = sumOf(bytes);
      const fetched: Fetched = { version, sha256, starts: 0, proven: false };
      const others = read().filter((each) => each.sha256 !== sha256);
      // Failed versions are remembered, so that they are not fetched again; their files are not kept.
      const proven = others.filter(({ proven }) => proven).slice(0, MAX_KEPT - 1);
      const all = [fetched, ...proven, ...others.filter((each) => !proven.includes(each)).slice(0, 5)];
      try {
        mkdirSync(dir, { recursive: true, mode: 0o700 });
        const unfinished = `${pathOf(fetched)}.new`;
        writeFileSync(unfinished, bytes, { mode: 0o600, flush: true });
        renameSync(unfinished, pathOf(fetched));
        write(all);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new Error(`${dir} cannot be written (${code})`);
      }
      const wanted = [fetched, ...proven].map((each) => pathOf(each));
      for (const name of readdirSync(dir))
        if (name.startsWith('tocsin-agent-') && !wanted.includes(join(dir, name)))
          rmSync(join(dir, name), { force: true });
      return fetched;
    },
    starting(fetched) {
      const trouble = change(same(fetched), ({ starts }) => ({ starts: starts + 1 }));
      if (trouble !== undefined && !fetched.proven) throw trouble;
    },
    failed(fetched) {
      failedThisRun.add(fetched.sha256);
      change(same(fetched), () => ({ starts: MAX_STARTS }));
    },
    proven(version) {
      change(
        (each) => each.version === version,
        () => ({ starts: 0, proven: true }),
      );
    },
    stopped(version) {
      change(
        (each) => each.version === version,
        () => ({ starts: 0 }),
      );
    },
  };
}

export const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function isWhole(path: string, sha256: string): boolean {
  try {
    return sumOf(readFileSync(path)) === sha256;
  } catch {
    return false;
  }
}

function readList(path: string): Fetched[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(value) ? value.filter(isFetched) : [];
  } catch {
    return [];
  }
}

const isFetched = (value: unknown): value is Fetched =>
  isRecord(value) &&
  typeof value.version === 'string' &&
  typeof value.sha256 === 'string' &&
  /^[0-9a-f]{64}$/.test(value.sha256) &&
  Number.isInteger(value.starts) &&
  typeof value.proven === 'boolean';
