/** Logs a message for the operator; `fields` are named values beside the sentence, never credentials. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** One JSON object a line on stderr, in pino's field names; pino itself would cost the probe 10 MB. */
export const stderrLog: Log = (level, message, fields = {}) => {
  process.stderr.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), msg: message, ...fields })}\n`,
  );
};

/** What an error says, for a field of the log. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown reason';
