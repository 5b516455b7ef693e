// The operations that an agent calls once a minute.
import { sql } from 'kysely';
import { SILENT_AFTER_SECONDS } from '../domain/agent.ts';
import type { BuiltFiles } from '../platform/built-files.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import { type Route, read } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { AGENT_READINGS } from '../retention.ts';
import { makeEnsureDays } from '../series/days.ts';
import type { KnownAgents } from './credentials.ts';
import { acceptHeartbeats } from './heartbeat.ts';
import { makeKeptPosts } from './kept-posts.ts';
import { observePost } from './metrics.ts';
import { type HeartbeatPost, type HeartbeatReply, postHeartbeat } from './protocol-contract.ts';

const RETRY_WHEN_FULL_SECONDS = 30;
/** Agents add seconds of their own, so that they do not all return at the same time. */
const RETRY_WHEN_BUSY_SECONDS = 5;
const VOID =
  'This credential is not valid any more: the agent was removed. Enrol this machine again with a new token.';

export type HeartbeatRoutesOptions = {
  db: Database;
  log: Log;
  version: string;
  agents: KnownAgents;
  builtFiles: BuiltFiles;
  disk: Pick<DiskGuard, 'resultsPaused'>;
};

export function agentHeartbeatRoutes(options: HeartbeatRoutesOptions): Route[] {
  const { db, log, version, agents, disk, builtFiles } = options;
  const context = {
    ...{ db, log, version },
    ensureReadingDays: makeEnsureDays(db, AGENT_READINGS),
    ensureCheckDays: makeEnsureDays(db),
  };
  const keptPosts = makeKeptPosts();
  const take = read(postHeartbeat, async ({ caller, body, now }) => {
    if (caller?.kind !== 'agent') return refuse('unauthenticated', VOID);
    const startedAt = performance.now();
    if (disk.resultsPaused()) {
      await noteAlive(db, caller, now);
      refuse(
        'unavailable',
        'The disk of the database is full, or nearly: readings are not accepted until there is space again. Keep them.',
        { retryAfterSeconds: RETRY_WHEN_FULL_SECONDS },
      );
    }
    const accepted = await acceptHeartbeats(context, caller, body as HeartbeatPost, now);
    if (!accepted) {
      agents.forget(caller);
      return refuse('unauthenticated', VOID);
    }
    const { stored, dropped, intervalSeconds } = accepted;
    observePost(body as HeartbeatPost, performance.now() - startedAt);
    return {
      interval_seconds: intervalSeconds,
      latest_version: version,
      watched_services: stored.watched_services,
      inventory_enabled: stored.inventory_enabled,
      server_time_ms: now.getTime(),
      ...(dropped.length > 0 ? { dropped } : {}),
      ...(stored.upgrade_asked ? upgradeTo(builtFiles) : {}),
    };
  });
  return [
    {
      ...take,
      async admit({ caller, bodyBytes, now, reply }) {
        if (caller?.kind !== 'agent' || keptPosts.admits(caller.orgId, bodyBytes, reply)) return;
        await noteAlive(db, caller, now);
        refuse('unavailable', 'Many agents are back at once: keep these heartbeats a little longer.', {
          retryAfterSeconds: RETRY_WHEN_BUSY_SECONDS,
        });
      },
    },
  ];
}

/** The program that this server serves; undefined if it has none. */
function upgradeTo({ 'tocsin-agent.mjs': file }: BuiltFiles): Pick<HeartbeatReply, 'upgrade'> {
  return file ? { upgrade: { version: file.version, sha256: file.sha256 } } : {};
}

/** The readings cannot be stored now, but the sign of life can. */
async function noteAlive(db: Database, { agentNo, credentialHash }: AgentCaller, now: Date): Promise<void> {
  await sql`
    UPDATE agent_states s SET last_heartbeat_at = ${now},
      look_at = ${new Date(now.getTime() + SILENT_AFTER_SECONDS * 1000)}
    FROM agents a WHERE a.no = s.agent_no AND a.no = ${agentNo} AND a.credential_hash = ${credentialHash}`.execute(
    db,
  );
}
