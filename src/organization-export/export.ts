// Writes everything one organization owns, as of one instant, while the server runs.
import type { Writable } from 'node:stream';
import type { ChainBreak } from '../activity/walk-chain.ts';
import { DAY_MS } from '../domain/durations.ts';
import { heartbeatContext } from '../monitors/heartbeats.ts';
import { openConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { isChat, secretContext } from '../notifications/delivery/send.ts';
import { openSnapshot, type Snapshot } from '../platform/db/snapshot.ts';
import type { Vault } from '../platform/secrets.ts';
import { watchLog } from './activity-chain.ts';
import { writeIncidents, writeUptime } from './csv.ts';
import { FORMAT, HEADER_KIND, LINES_FILE, type LineKind } from './format.ts';
import {
  CHECKS,
  HEAD,
  MONITORS,
  OTHER_REGIONS,
  ROLLED_UP,
  SINGLE_CHECKS_SINCE,
  TAIL,
  TARGETS,
} from './sections.ts';
import { eachRow, ended, writer } from './stream.ts';

export type ExportOptions = {
  url: string;
  organizationId: string;
  vault: Vault;
  version: string;
  now: Date;
  /** Of how many UTC days, today included, single checks are exported, where that is not all; of older ones their roll-ups. */
  checksDays?: number | undefined;
  /** Opens a file of the export; the stream has ended when `write` resolves. */
  file: (name: string, write: (out: Writable) => Promise<void>) => Promise<void>;
  progress?: (lines: number) => void;
  signal?: AbortSignal;
};

export type Exported = {
  lines: number;
  files: string[];
  /** Where the activity log was tampered with; it is exported as it is. */
  breaks: ChainBreak[];
};

/** Exports an organization. Throws SecretUnreadable where a stored secret was sealed under another SECRET_KEY. */
export async function exportOrganization(options: ExportOptions): Promise<Exported> {
  const snapshot = await openSnapshot(options.url, 'tocsin export');
  const files: string[] = [];
  let lines = 0;
  const log = watchLog();
  const file = async (name: string, write: (out: Writable) => Promise<void>) => {
    await options.file(name, write);
    files.push(name);
  };
  try {
    await file(LINES_FILE, async (out) => {
      const put = writer(out);
      await writeLines(snapshot, options, async (kind, data) => {
        lines += 1;
        log.take(kind, data);
        options.progress?.(lines);
        options.signal?.throwIfAborted();
        await put(`${JSON.stringify({ kind, data })}\n`);
      });
      await ended(out);
    });
    await file('uptime.csv', (out) => writeUptime(snapshot, options.organizationId, options.now, out));
    await file('incidents.csv', (out) => writeIncidents(snapshot, options.organizationId, out));
    return { lines, files, breaks: log.breaks() };
  } finally {
    await snapshot.close();
  }
}

type Put = (kind: LineKind, data: object) => Promise<void>;
type Row = { data: Record<string, unknown> };

async function writeLines(snapshot: Snapshot, options: ExportOptions, put: Put): Promise<void> {
  const { organizationId, vault, version, now } = options;
  await put(HEADER_KIND, {
    format: FORMAT,
    tocsin_version: version,
    exported_at: now.toISOString().replace('Z', '+00:00'),
    organization_id: organizationId,
  });
  const each = (sql: string, take: (data: Row['data']) => Promise<void>) =>
    snapshot.read((client) => eachRow<Row>(client, sql, [organizationId], (row) => take(row.data)));

  for (const { kind, sql } of HEAD) await each(sql, (data) => put(kind, data));
  const regions = await otherRegions(snapshot, organizationId);
  await each(MONITORS.sql, (data) => {
    const config = data.config as Record<string, unknown>;
    const opened = openConfig(rulesOf(String(data.type)), config, String(data.id), vault);
    return put(MONITORS.kind, { ...data, config: opened });
  });
  await each(TARGETS.sql, (data) => {
    const sealed = data.secret;
    const secret = sealed === null ? null : vault.open(String(sealed), secretContext(String(data.id)));
    const addressed = isChat(String(data.kind)) ? { url: secret ?? data.url, secret: null } : { secret };
    return put(TARGETS.kind, { ...data, ...addressed });
  });
  for (const { kind, sql } of TAIL)
    await each(sql, (data) => put(kind, kind === 'heartbeat' ? openedHeartbeat(data, vault) : data));
  await writeChecks(snapshot, options, async (kind, data) => {
    // Monitors may have left the regions that their earlier results are from.
    const region = regions.get(String((data as Row['data']).region));
    if (region && regions.delete(region.slug)) await put('region', region);
    await put(kind, data);
  });
}

type Region = { slug: string; name: string; internal: boolean };

/** The regions that no monitor of the organization is assigned to, by slug. */
async function otherRegions(snapshot: Snapshot, organizationId: string): Promise<Map<string, Region>> {
  const { rows } = await snapshot.read((client) => client.query<Region>(OTHER_REGIONS, [organizationId]));
  return new Map(rows.map((region) => [region.slug, region]));
}

/** Reads each monitor in a transaction of its own, so that partitions are locked only briefly. */
async function writeChecks(
  snapshot: Snapshot,
  { organizationId, now, checksDays }: ExportOptions,
  put: Put,
): Promise<void> {
  const wanted = checksDays === undefined ? null : new Date(now.getTime() - (checksDays - 1) * DAY_MS);
  const numbers = await snapshot.read(async (client) => {
    const sql = 'SELECT no FROM monitors WHERE org_id = $1 AND NOT example ORDER BY id';
    return (await client.query<{ no: number }>(sql, [organizationId])).rows.map(({ no }) => no);
  });
  for (const no of numbers) {
    const since = await snapshot.read(async (client) => {
      const { rows } = await client.query<{ since: string }>(SINGLE_CHECKS_SINCE, [no, wanted]);
      return rows[0]?.since ?? '-infinity';
    });
    const each = (sql: string, take: (row: Row) => Promise<void>) =>
      snapshot.read((client) => eachRow<Row>(client, sql, [no, since], take));
    await each(CHECKS, ({ data }) => put('check', data));
    for (const { kind, sql } of ROLLED_UP) await each(sql, ({ data }) => put(kind, data));
  }
}

function openedHeartbeat({ token_hash, token, ...data }: Row['data'], vault: Vault): Row['data'] {
  return { ...data, token: vault.open(String(token), heartbeatContext(String(token_hash))) };
}
