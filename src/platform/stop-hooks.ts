// Named things to stop, in the reverse order of their start; also undoes a start that failed half-way.
import type { Log } from './log.ts';

export class StopHooks {
  readonly #hooks: { name: string; stop: () => Promise<void> }[] = [];
  readonly #log: Log;
  #stopped: Promise<boolean> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Call it as soon as the thing runs. */
  add(name: string, stop: () => Promise<void>): void {
    this.#hooks.push({ name, stop });
  }

  /** Stops everything, last started first; one that fails does not keep the others running. False if one failed. */
  stopAll(): Promise<boolean> {
    this.#stopped ??= this.#run();
    return this.#stopped;
  }

  async #run(): Promise<boolean> {
    let clean = true;
    for (let hook = this.#hooks.pop(); hook; hook = this.#hooks.pop()) {
      const started = performance.now();
      try {
        await hook.stop();
        this.#log.debug({ part: hook.name, took_ms: Math.round(performance.now() - started) }, 'stopped');
      } catch (error) {
        clean = false;
        this.#log.error({ err: error, part: hook.name }, 'could not be stopped in order');
      }
    }
    return clean;
  }
}
