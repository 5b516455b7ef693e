// Host agents in the database, as enrolment creates them, and their requests.
import assert from 'node:assert/strict';
import type { Kysely } from 'kysely';
import type { HeartbeatReply } from '#src/agents/protocol-contract.ts';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import type { Place, TestApp } from './app.ts';
import type { Answer } from './client.ts';

export type InsertedAgent = { id: string; no: number; credential: string };

/** Inserts an agent that has sent no heartbeat yet. */
export async function insertAgent(
  db: Kysely<DB>,
  { orgId, hostname = 'web-1', at }: { orgId: string; hostname?: string; at: Date },
): Promise<InsertedAgent> {
  const credential = `tca_${randomToken(32)}`;
  const id = newId('agt');
  const { no } = await db
    .insertInto('agents')
    .values({
      ...{ id, org_id: orgId, hostname, enrolled_at: at },
      ...{
        platform: 'linux',
        os: 'Debian GNU/Linux 13',
        arch: 'x64',
        credential_hash: hashToken(credential),
      },
    })
    .returning('no')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('agent_states')
    .values({
      ...{ agent_no: no, agent_version: '0.1.0' },
      ...{ rolled_until: at, look_at: new Date(at.getTime() + 180_000) },
    })
    .execute();
  return { id, no, credential };
}

export type TestAgent = InsertedAgent & {
  /** Posts one heartbeat, measured now by default. */
  beat: (readings?: Record<string, unknown>, more?: Record<string, unknown>) => Promise<HeartbeatReply>;
  /** Posts a body as it is. */
  post: (body: unknown) => Promise<Answer>;
  /** A monitor on it. */
  watch: (type: 'agent' | 'service', config: object, fields?: object) => Promise<WatchedMonitor>;
};

export type WatchedMonitor = {
  id: string;
  read: () => Promise<Monitor>;
  /** Newest first. */
  checks: () => Promise<CheckRecord[]>;
  incidents: () => Promise<IncidentSummary[]>;
};

let made = 0;

/** An agent that speaks the protocol, by the clock of the test. */
export async function makeAgent(app: TestApp, place: Place, hostname = `host-${++made}`): Promise<TestAgent> {
  const { orgId, projectId } = place;
  const agent = await insertAgent(app.db, { orgId, hostname, at: app.clock.now() });
  const headers = { authorization: `Bearer ${agent.credential}` };
  const post = (body: unknown) => app.visitor().send('POST', '/agent/heartbeat', body, headers);
  return {
    ...agent,
    post,
    async beat(readings = {}, more = {}) {
      const answer = await post({ ...heartbeatAt(app.clock.ms(), readings), ...more });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body as HeartbeatReply;
    },
    async watch(type, config, fields = {}) {
      const body = { name: `${type} ${++made}`, type, config: { agent_id: agent.id, ...config }, ...fields };
      const { id } = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
      return {
        id,
        read: () => app.alice.ok('GET', `/monitors/${id}`),
        checks: () => app.alice.ok('GET', `/monitors/${id}/checks`),
        incidents: () => app.alice.ok('GET', `/monitors/${id}/incidents`),
      };
    },
  };
}

export const heartbeatAt = (ms: number, readings: Record<string, unknown> = {}) => ({
  sent_at_ms: ms,
  agent_version: '0.1.0',
  modules: ['cpu', 'memory'],
  readings,
});
