// The server process as its supervisor sees it: kept running, told where its database is, and reporting when it serves.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log.ts';
import { type KeptChild, keepRunning } from './child.ts';
import { BEAT, killWhenStill, PATIENCE, PROGRESS, type Watch } from './standstill.ts';

const ENTRY = join(import.meta.dirname, 'server-process.ts');

/** The message that lets the server begin. */
export type ServeOrder = { config: Config; databaseUrl: string };

/** The server's message once it serves. */
export type Serving = {
  address: string;
  localProbeToken: string | null;
  setupLink: string | null;
  dashboard: boolean;
};

/** What it may say afterwards: the bundled probe has another token from now on. */
export type Renewed = { localProbeToken: string };

type Said = typeof BEAT | typeof PROGRESS | Serving | Renewed;

export type ServerListeners = {
  /** It died, and serves again. */
  again: (serving: Serving) => void;
  /** The bundled probe's token is another one than it said before. */
  renewed: (token: string) => void;
};

/** The server ended before it ever served; it has said why itself. */
export class ServerDidNotStart extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`The server did not start (exit code ${exitCode}).`);
    this.name = 'ServerDidNotStart';
    this.exitCode = exitCode;
  }
}

export type ServerChild = KeptChild & {
  /** Lets it begin; resolves when it serves. Throws ServerDidNotStart where it ends instead. */
  serve(order: ServeOrder): Promise<Serving>;
};

/**
 * Starts the process at once: what it needs loads while the database starts. Once it has served, it is started again
 * whenever it dies, with growing pauses, and `again` is told when it serves again; before that its end is final. One that
 * stands still is killed, and so is one that gets nowhere with its start; a start that gets on may take what time it wants.
 */
export function startServer(log: Log, { again, renewed }: ServerListeners, patience = PATIENCE): ServerChild {
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
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Ctrl-C reaches the supervisor only, which stops its parts in order.
        detached: true,
        windowsHide: true,
      });
      current = child;
      const watched = killWhenStill(child, log, patience);
      watch = watched;
      child.on('message', (said: Said) => {
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
      // Where it may choose its port, it keeps the one that it got: the probe and people know that one.
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
