import type { Log } from '#probe/log.ts';

export type Limited = <Value>(name: string, collect: () => Value | Promise<Value>) => Promise<Value | null>;

const LIMIT_MS = 5_000;

/**
 * Runs collectors so that one that hangs or fails only loses its own reading: null. A collector that has not ended is not
 * started again. Logs each problem once, until it is over.
 */
export function limited(log: Log, limitMs = LIMIT_MS): Limited {
  const hanging = new Set<string>();
  const troubles = new Map<string, string>();
  return async (name, collect) => {
    if (hanging.has(name)) return null;
    hanging.add(name);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    });
    const reading = (async () => collect())().finally(() => hanging.delete(name));
    try {
      const value = await Promise.race([reading, late]);
      troubles.delete(name);
      return value;
    } catch (error) {
      reading.catch(() => undefined);
      const reason = error instanceof Error ? error.message : 'unknown reason';
      if (troubles.get(name) !== reason) log('warn', `No reading of ${name}`, { reason });
      troubles.set(name, reason);
      return null;
    } finally {
      clearTimeout(timer);
    }
  };
}
