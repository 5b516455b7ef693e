// Logs: one JSON object per line on standard error; readable lines if that is a terminal. Standard output is for the banner and
// for the results of commands.
import { writeSync } from 'node:fs';
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { sourceStack } from './source-lines.ts';

export type Log = Logger;
export type LogLevel = LevelWithSilent;

/** Names of fields with secrets; their values never reach a log, two levels deep. */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'credential',
  'api_key',
  'secretKey',
  'databaseUrl',
  'databaseDirectUrl',
  '["set-cookie"]',
];

/**
 * Creates the process's log. `pretty` (default: whether standard error is a terminal) prints lines for people; `write` receives
 * them (default: standard error).
 */
export function createLog(
  level: LogLevel,
  pretty = process.stderr.isTTY === true,
  write: (text: string) => void = writeAll,
): Log {
  const destination: DestinationStream = { write: (line) => write(pretty ? readable(line) : line) };
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: SECRET_NAMES.flatMap((name) =>
          name.startsWith('[') ? [name, `*${name}`, `*.*${name}`] : [name, `*.${name}`, `*.*.${name}`],
        ),
        censor: '[secret]',
      },
      serializers: { err: serialized },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

function serialized(error: Error): unknown {
  const fields = pino.stdSerializers.err(error);
  return typeof fields?.stack === 'string' ? { ...fields, stack: sourceStack(fields.stack) } : fields;
}

/**
 * Writes synchronously, so that the last lines before a crash are not lost; waits for a full pipe, and ignores a closed one.
 */
function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(2, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

const COLOURS: Record<string, string> = {
  fatal: '31',
  error: '31',
  warn: '33',
  info: '32',
  debug: '2',
  trace: '2',
};

/** One line for people: time, level, message, then the remaining fields as key=value. */
function readable(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as {
    level: string;
    time: number;
    msg?: string;
    err?: { message?: string; stack?: string };
  } & Record<string, unknown>;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const fields = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const parts = [clock, `\x1b[${COLOURS[level] ?? '0'}m${level.padEnd(5)}\x1b[0m`, msg ?? '', ...fields];
  const cause = err?.stack ?? err?.message;
  return `${parts.join(' ')}\n${cause ? `${cause}\n` : ''}`;
}
