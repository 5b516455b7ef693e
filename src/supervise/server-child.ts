// The server process from the supervisor's side: keeps it running, sends it its database, and waits until it serves.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ownEnvironment } from '../config/child-environment.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log.ts';
import { type KeptChild, keepRunning } from './child.ts';
import { BEAT, HANG_TIMEOUTS, killWhenHung, PROGRESS, type Watch } from './hang-detection.ts';

const ENTRY = join(import.meta.dirname, './server-process.ts');

/** The message that lets the server begin. */
export type ServeOrder = { config: Config; databaseUrl: string };

/** The server's message once it serves. */
export type Serving = {
  address: string;
  localProbeToken: string | null;
  setupLink: string | null;
  dashboard: boolean;
};

/** A later message of the server: the bundled probe has a new token. */
export type Renewed = { localProbeToken: string };

type ChildMessage = typeof BEAT | typeof PROGRESS | Serving | Renewed;

export type ServerListeners = {
  /** It died, and serves again. */
  again: (serving: Serving) => void;
  /** The bundled probe's token has changed. */
  renewed: (token: string) => void;
};

/** The server ended before it ever served; it has logged the reason itself. */
export class ServerDidNotStart extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The server did not start (exit code ${exitCode}).`);
    this.name = 'ServerDidNotStart';
    this.exitCode = exitCode;
  }
}

export type ServerChild = KeptChild & {
  /** Orders the start; resolves when it serves. Throws ServerDidNotStart if it ends instead. */
  serve(order: ServeOrder): Promise<Serving>;
};

/**
 * Starts the process at once, so that its modules load while the database starts. Once it has served, it is restarted
 * whenever it dies, with growing pauses, and `again` is called when it serves again; before that its end is final. A server
 * that hangs is killed, and so is one whose start makes no progress; a start that makes progress may take any time.
 */
export function startServer(
  log: Log,
  { again, renewed }: ServerListeners,
  patience = HANG_TIMEOUTS,
): ServerChild {
  const first = Promise.withResolvers<Serving>();
  first.promise.catch(() => undefined);
  let current: ChildProcess | null = null;
  let watch: Watch | null = null;
  let order: ServeOrder | null = null;
  let serving: Serving | null = null;
  let token: string | null = null;
  const holdToken = (next: string | null) => {
    const isNext = token !== null && next !== null && next !== token;
    token = next ?? token;
    if (isNext) renewed(token!);
  };

  const kept = keepRunning(
    'server',
    () => {
      const child = spawn(process.execPath, [...process.execArgv, ENTRY], {
        env: ownEnvironment(),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Ctrl-C reaches the supervisor only, which stops its parts in order.
        detached: true,
        windowsHide: true,
      });
      current = child;
      const watched = killWhenHung(child, log, patience);
      watch = watched;
      child.on('message', (said: ChildMessage) => {
        if (said === BEAT || said === PROGRESS) return;
        if (!('address' in said)) return holdToken(said.localProbeToken);
        const hasServed = serving !== null;
        serving = said;
        watched.serves();
        holdToken(said.localProbeToken);
        if (hasServed) again(said);
        else first.resolve(said);
      });
      child.once('exit', (code) => {
        if (serving !== null) return;
        first.reject(new ServerDidNotStart(code || 1));
        // No restart: the person who started it has to fix the cause.
        void kept.stop();
      });
      if (order) sendOrder(child, order);
      if (order) watched.ordered();
      return child;
    },
    log,
  );

  return {
    ...kept,
    serve(given) {
      order = given;
      // If it may choose its port, it keeps the first one: the probe and people know that one.
      void first.promise.then(
        ({ address }) => {
          order = {
            ...given,
            config: { ...given.config, port: Number(new URL(address).port) || given.config.port },
          };
        },
        () => undefined,
      );
      if (current) sendOrder(current, given);
      watch?.ordered();
      return first.promise;
    },
  };
}

/** Sends nothing to a child that has just died; its end is handled elsewhere. */
function sendOrder(child: ChildProcess, order: ServeOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
