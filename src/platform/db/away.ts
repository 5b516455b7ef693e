// Distinguishes errors of the database itself from errors of a statement.

/** A server's answer to a write that it does not take: it was the primary, and is a replica now. */
export const READ_ONLY = '25006';

// Connection refused or lost, admin shutdown, crash shutdown, cannot connect now, too many connections.
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  // No way to it, or no address of its name: as while its container or its host is replaced.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  // A lock or statement timeout.
  '55P03',
  '57014',
  '53300',
  '08006',
  '08003',
  '08001',
  // A primary that became a replica.
  READ_ONLY,
]);

/** Whether an error means that the database is unreachable, rather than that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && AWAY.has(code)) return true;
  return WITHOUT_CODE.test(message ?? '');
}

/** The library's own errors. */
const WITHOUT_CODE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|not queryable/;

// SQLSTATE classes: connection, rolled back (deadlocks), out of resources (a full disk), intervention, system errors.
const PASSING_CLASS = /^(08|40|53|57|58)[0-9A-Z]{3}$/;
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOSPC', 'ENOMEM', 'ENOBUFS']);

/** Whether an error is transient: the same work may succeed later, whatever its rows hold. */
export function isPassing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return (
    isDatabaseAway(error ?? {}) || (code !== undefined && (PASSING_CLASS.test(code) || EXHAUSTED.has(code)))
  );
}
