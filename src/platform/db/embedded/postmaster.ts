// One run of the `postgres` program, from start to end.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '#src/platform/log.ts';
import { CHILD_ENVIRONMENT, type RunAs } from './run-as.ts';

/** A replica announces that it takes read-only connections. */
const READY = /database system is ready to accept (?:read-only )?connections/;

export type Postmaster = {
  pid: number;
  /** Resolves when the process has ended, with a phrase that says how. */
  ended: Promise<string>;
  /** Fast shutdown (open transactions roll back, a checkpoint is written); resolves when the process is gone. */
  stop(): Promise<void>;
};

export class PostmasterFailed extends Error {
  /** PostgreSQL's output before it gave up. */
  readonly output: string;

  constructor(how: string, output: string) {
    super(`PostgreSQL did not start (${how}):\n${output.trim() || 'it wrote nothing'}`);
    this.name = 'PostmasterFailed';
    this.output = output;
  }
}

/** Starts `postgres` and waits until it accepts connections. Throws PostmasterFailed with its output if it does not. */
export async function startPostmaster(options: {
  runAs: RunAs;
  postgres: string;
  pgCtl: string;
  clusterDir: string;
  flags: readonly string[];
  log: Log;
}): Promise<Postmaster> {
  const { clusterDir } = options;
  const command = options.runAs.command(options.postgres, ['-D', clusterDir, ...options.flags]);
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: '/',
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Detached, so that Ctrl-C reaches only the server, which then stops its parts in order.
    detached: true,
    windowsHide: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
  await untilReady(child, ended, options.log);
  const pid = child.pid!;
  options.log.debug({ part: 'PostgreSQL', started_pid: pid }, 'started');
  return {
    pid,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) requestStop(child, options);
      await ended;
    },
  };
}

/** Reads standard error: the ready line, then every line into our log. */
function untilReady(child: ChildProcess, ended: Promise<string>, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = '';
    let partial = '';
    let starting = true;
    let level: Level = 'debug';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (starting) tail = (tail + chunk).slice(-4000);
      const lines = (partial + chunk).split('\n');
      partial = lines.pop() ?? '';
      for (const line of lines) {
        level = levelOf(line) ?? level;
        if (line) log[starting ? 'debug' : level]({ line }, 'postgres');
        if (READY.test(line)) {
          starting = false;
          resolve();
        }
      }
    });
    void ended.then((how) => {
      if (starting) reject(new PostmasterFailed(how, tail));
    });
  });
}

type Level = 'debug' | 'warn' | 'error';

/** Severity of a line of PostgreSQL's log; null continues the line before (DETAIL, HINT, CONTEXT). */
function levelOf(line: string): Level | null {
  const severity = /^(LOG|WARNING|ERROR|FATAL|PANIC):/.exec(line)?.[1];
  if (!severity) return null;
  // ERROR and FATAL concern one client, which receives the same message.
  return severity === 'PANIC' ? 'error' : severity === 'WARNING' ? 'warn' : 'debug';
}

function requestStop(child: ChildProcess, options: { pgCtl: string; clusterDir: string }): void {
  // Windows has no signals: Node would kill the process on the spot, and the next start would have to recover.
  if (process.platform === 'win32') {
    spawn(options.pgCtl, ['stop', '-m', 'fast', '-D', options.clusterDir], {
      stdio: 'ignore',
      windowsHide: true,
    }).on('error', () => child.kill());
  } else {
    child.kill('SIGINT');
  }
}
