// Sets aside checks that froze this probe, or take too much of its main loop, for a while, so that the others can continue.
import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { utcMinute } from '../src/domain/utc.ts';
import { type Log, reasonOf } from './log.ts';
import { FROZEN_FILE } from './watchdog.ts';

export type SetAside = {
  /** Names a check by its type and config; another config is another check. */
  nameOf(type: string, config: unknown): string;
  /** Why a check is set aside now, with a sentence for people; undefined: it is not. */
  why(name: string): Reason | undefined;
  /** Records whether a check took too much of the main loop. Three in a row that did set it aside. */
  took(name: string, tooMuch: boolean): void;
};

export type Reason = { failureClass: 'probe_frozen' | 'check_too_costly'; detail: string };

type Pause = { times: number; untilMs: number };
type Entry = Pause & { name: string };

const FILE = 'set-aside.json';
const FIRST_PAUSE_MS = 600_000;
const LONGEST_PAUSE_MS = 86_400_000;
/** A check that has not frozen the probe for this long starts over. */
const FORGOTTEN_AFTER_MS = 7 * 86_400_000;
const MAX_ENTRIES = 1_000;
/** How many checks in a row must take too much of the loop before the check is set aside. */
const COSTLY_IN_A_ROW = 3;
const FIRST_COSTLY_PAUSE_MS = 60_000;

/**
 * Reads the checks that are set aside, and adds the one at which the previous run froze (`FROZEN_FILE`): for ten minutes,
 * twice as long each further time, at most a day. `nowMs` is wall-clock time, which is valid across restarts; a pause that was
 * set by a clock ahead of it is shortened to what it would be from now.
 */
export async function openSetAside(options: {
  dataDir: string;
  log: Log;
  nowMs: () => number;
}): Promise<SetAside> {
  const { dataDir, log, nowMs } = options;
  const path = join(dataDir, FILE);
  const entries = new Map((await readEntries(path, log)).map((entry) => [entry.name, entry]));
  let isChanged = false;
  for (const entry of entries.values()) {
    const { untilMs } = entry;
    isPaused(entry, frozenPauseMs(entry.times), nowMs());
    isChanged ||= entry.untilMs !== untilMs;
  }
  const frozen = await readJson(join(dataDir, FROZEN_FILE));
  // That the file is there says that it froze, even if the disk had no room for more.
  const hasFrozen = frozen.value !== undefined || frozen.trouble !== undefined;
  if (hasFrozen) {
    const { note } = (frozen.value ?? {}) as { note?: unknown };
    const name = typeof note === 'string' ? note : '';
    if (name === '') log('error', 'The previous run froze; its last check is unknown');
    else {
      const times = (entries.get(name)?.times ?? 0) + 1;
      const pauseMs = frozenPauseMs(times);
      entries.delete(name);
      entries.set(name, { name, times, untilMs: nowMs() + pauseMs });
      log('error', 'The previous run froze in a check; that check is set aside', {
        check: name,
        times,
        for_s: pauseMs / 1000,
      });
    }
    for (const { name: old, untilMs } of entries.values())
      if (untilMs + FORGOTTEN_AFTER_MS < nowMs()) entries.delete(old);
  }
  if (hasFrozen || isChanged)
    try {
      await writeFile(`${path}.new`, JSON.stringify([...entries.values()].slice(-MAX_ENTRIES)), {
        mode: 0o600,
      });
      await rename(`${path}.new`, path);
      await rm(join(dataDir, FROZEN_FILE), { force: true });
    } catch (error) {
      // This run knows of them; the file about the freeze stays for the next one.
      log('error', 'Which checks are set aside cannot be kept on the disk', { reason: reasonOf(error) });
    }

  // In memory only: after a restart it takes three checks to find out again.
  const costly = new Map<string, Pause & { inARow: number }>();
  const names = new WeakMap<object, string>();
  return {
    nameOf(type, config) {
      const isObject = typeof config === 'object' && config !== null;
      const known = isObject ? names.get(config) : undefined;
      if (known !== undefined) return known;
      const text = `${type} ${JSON.stringify(config)}`;
      const name = `${type.slice(0, 40)} ${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
      if (isObject) names.set(config, name);
      return name;
    },
    why(name) {
      const entry = entries.size === 0 ? undefined : entries.get(name);
      if (entry !== undefined && isPaused(entry, frozenPauseMs(entry.times), nowMs())) {
        const times = entry.times === 1 ? 'once' : `${entry.times} times`;
        const detail = `This check froze the whole probe (${times}), so ${aside(entry.untilMs)}`;
        return { failureClass: 'probe_frozen', detail };
      }
      const pause = costly.size === 0 ? undefined : costly.get(name);
      if (pause === undefined || !isPaused(pause, costlyPauseMs(pause.times), nowMs())) return undefined;
      const detail = `This check took too much of the probe's main loop again and again, so ${aside(pause.untilMs)}`;
      return { failureClass: 'check_too_costly', detail };
    },
    took(name, tooMuch) {
      if (!tooMuch) {
        if (costly.size > 0) costly.delete(name);
        return;
      }
      const entry = costly.get(name) ?? { inARow: 0, times: 0, untilMs: 0 };
      costly.delete(name);
      costly.set(name, entry);
      entry.inARow += 1;
      if (entry.inARow >= COSTLY_IN_A_ROW) {
        // After the pause, a single costly check sets it aside again, for twice as long.
        entry.times += 1;
        const pauseMs = costlyPauseMs(entry.times);
        entry.untilMs = nowMs() + pauseMs;
        log('warn', 'A check takes too much of the main loop and is set aside', {
          check: name,
          times: entry.times,
          for_s: pauseMs / 1000,
        });
      }
      for (const oldest of costly.keys()) {
        if (costly.size <= MAX_ENTRIES) break;
        costly.delete(oldest);
      }
    },
  };
}

const frozenPauseMs = (times: number) => Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
const costlyPauseMs = (times: number) => Math.min(FIRST_COSTLY_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);

/** Whether a pause goes on. It never lasts longer than `pauseMs` from now: if it does, the clock was ahead when it began. */
function isPaused(pause: Pause, pauseMs: number, nowMs: number): boolean {
  pause.untilMs = Math.min(pause.untilMs, nowMs + pauseMs);
  return pause.untilMs > nowMs;
}

const aside = (untilMs: number) =>
  `it is set aside until ${utcMinute(untilMs)}. It is tried at once when its config changes`;

/** A list that cannot be read holds up no start; its checks run again, which the log has to say. */
async function readEntries(path: string, log: Log): Promise<Entry[]> {
  const { value, trouble } = await readJson(path);
  if (Array.isArray(value)) return value.filter(isEntry);
  if (value !== undefined || trouble !== undefined)
    log('error', 'Which checks are set aside cannot be read: one that froze the probe may freeze it again', {
      path,
      reason: trouble ?? 'it is no list',
    });
  return [];
}

function isEntry(entry: unknown): entry is Entry {
  const { name, times, untilMs } = (entry ?? {}) as Partial<Entry>;
  return typeof name === 'string' && Number.isInteger(times) && Number.isFinite(untilMs);
}

/** What a file contains, or why that cannot be read; neither: there is none. */
async function readJson(path: string): Promise<{ value?: unknown; trouble?: string }> {
  try {
    return { value: JSON.parse(await readFile(path, 'utf8')) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : { trouble: reasonOf(error) };
  }
}
