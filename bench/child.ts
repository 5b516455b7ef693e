// Helper processes of a benchmark: load generators, watched targets, baselines. Each is a process of its own, so that its cost
// is counted separately.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Context } from './figure.ts';

export type Child = {
  pid: number;
  send: (message: unknown) => void;
  /** Every message it sends. */
  onMessage: (on: (message: never) => void) => void;
  /** Resolves with its next message of this `kind`; rejects if the process ends before. */
  next: <T>(kind: string) => Promise<T>;
  stop: () => Promise<void>;
};

/** Starts a file of this folder as a process; it ends with the benchmark, and by itself if the benchmark is gone. */
export function startChild(context: Context, file: string): Child {
  const child = fork(join(import.meta.dirname, file), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const stop = async () => {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  context.hooks.add(file, stop);
  return {
    pid: child.pid!,
    send: (message) => void child.send(message as object),
    onMessage: (on) => void child.on('message', (message) => on(message as never)),
    next: <T>(kind: string) =>
      new Promise<T>((resolve, reject) => {
        const onMessage = (message: { kind: string }) => {
          if (message.kind !== kind) return;
          child.off('message', onMessage);
          child.off('exit', gone);
          resolve(message as T);
        };
        const gone = () => reject(new Error(`${file} ended before it said "${kind}"`));
        child.on('message', onMessage);
        child.on('exit', gone);
      }),
    stop,
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
