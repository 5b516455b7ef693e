// Reads an export before anything is written: checks every line's shape, and collects its people and the partitions it
// needs.
import { DAY_MS } from '../domain/durations.ts';
import { emailAddress } from '../domain/email-address.ts';
import { type Partitioned, spanOf } from '../platform/db/partitions.ts';
import { PARTITIONED } from '../retention.ts';
import { watchLog } from './activity-chain.ts';
import type { DataOf } from './format.ts';
import { BrokenLine, type Line, readLines } from './read-lines.ts';

export type FileSummary = {
  organization: DataOf<'organization'>;
  members: DataOf<'member'>[];
  invitations: DataOf<'invitation'>[];
  lines: number;
  /** By the first instant of each. */
  partitions: { partitioned: Partitioned; from: Date }[];
};

/**
 * Reads the whole file once. Throws if a line is malformed, or if the first one after the header is not the
 * organization.
 */
export async function scanLines(path: string, now: Date, signal?: AbortSignal): Promise<FileSummary> {
  let organization: DataOf<'organization'> | null = null;
  const members: DataOf<'member'>[] = [];
  const invitations: DataOf<'invitation'>[] = [];
  const partitions = new Map<string, FileSummary['partitions'][number]>();
  const [membersKnown, invitationsKnown] = [new Set<string>(), new Set<string>()];
  let lines = 0;
  const log = watchLog();
  for await (const line of readLines(path)) {
    signal?.throwIfAborted();
    lines += 1;
    log.take(line.kind, line.data);
    if ((lines === 2) !== (line.kind === 'organization'))
      throw new BrokenLine(line.number, 'the organization is the second line, and no other.');
    if (line.kind === 'organization') organization = line.data;
    if (line.kind === 'member') members.push(withAddress(line, line.data, membersKnown));
    if (line.kind === 'invitation') invitations.push(withAddress(line, line.data, invitationsKnown));
    const place = partitionOfLine(line, now);
    if (place) partitions.set(`${place.partitioned.table} ${place.from.toISOString()}`, place);
  }
  const [broken] = log.breaks();
  if (broken)
    throw new Error(
      `The activity log of the export was tampered with: ${broken.said}. Nothing was imported.`,
    );
  if (!organization) throw new BrokenLine(lines, 'the file ends with it, and no organization was named.');
  return { organization, members, invitations, lines, partitions: [...partitions.values()] };
}

/** The data with its normalized address. Mails go to it, so it must be valid; and each address may occur once. */
function withAddress<D extends { email: string }>(line: Line, data: D, known: Set<string>): D {
  const email = emailAddress(data.email);
  if (email === null) throw new BrokenLine(line.number, `${line.kind}: email must be an e-mail address.`);
  if (known.has(email)) throw new BrokenLine(line.number, `${email} is in it twice.`);
  known.add(email);
  return { ...data, email };
}

/** The partition of a line's row; null for a table without partitions, and for a row past its retention. */
function partitionOfLine(line: Line, now: Date): FileSummary['partitions'][number] | null {
  const dated = datedRow(line);
  if (!dated) return null;
  if (Number.isNaN(dated.at.getTime())) throw new BrokenLine(line.number, 'its time is none that there is.');
  if (dated.at.getTime() > now.getTime() + DAY_MS)
    throw new BrokenLine(line.number, `its time ${dated.at.toISOString()} is in the future.`);
  if (isPastKeeping(line, now)) return null;
  return { partitioned: dated.partitioned, from: spanOf(dated.at, dated.partitioned.span).from };
}

/** Whether a row would be dropped with its partition at once; such a row is not imported. */
export function isPastKeeping(line: Line, now: Date): boolean {
  const dated = datedRow(line);
  if (!dated) return false;
  const { span, keepDays } = dated.partitioned;
  return dated.at < spanOf(new Date(now.getTime() - keepDays * DAY_MS), span).from;
}

function datedRow(line: Line): { partitioned: Partitioned; at: Date } | null {
  switch (line.kind) {
    case 'check':
      return dated('checks', line.data.checked_at);
    case 'check_bucket':
      return dated(line.data.seconds === 3600 ? 'check_buckets_1h' : 'check_buckets_12h', line.data.bucket);
    case 'reported_time':
      return dated('reported_times', line.data.bucket);
    case 'downtime_bucket':
      return dated('downtime_buckets', line.data.bucket);
    case 'activity':
      return dated('activity', line.data.at);
    case 'webhook_event':
      return dated('outbox', line.data.created_at);
    case 'delivery':
      return dated('deliveries', line.data.created_at);
    default:
      return null;
  }
}

function dated(table: string, at: string): { partitioned: Partitioned; at: Date } | null {
  const partitioned = PARTITIONED.find((entry) => entry.table === table);
  return partitioned ? { partitioned, at: new Date(at) } : null;
}
