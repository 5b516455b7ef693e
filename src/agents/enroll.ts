// Enrols a machine as an agent (docs/rules/agents.md#enrolment).
import { recordActivity } from '../activity/record.ts';
import { HEARTBEAT_SECONDS, SILENT_AFTER_SECONDS } from '../domain/agent.ts';
import { bucketStart } from '../domain/series.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Tx, Work } from '../platform/work.ts';
import { newCredential } from './credentials.ts';
import { labelsOver } from './labels.ts';
import type { Enrolled, Enrollment } from './protocol-contract.ts';

/** The most agents of an organization. */
export const MAX_AGENTS = 10_000;
/** Two machines could share a shorter one by chance. */
const SHORTEST_ENROLLMENT_ID = 16;
/** The length of the finest buckets of readings. */
const SPAN_SECONDS = 600;

type Machine = { hostname: string; platform: string; os: string; arch: string; agent_version: string };
type Token = { id: string; org_id: string; labels: string; uses: number; used: number };

const ASK_FOR_ANOTHER =
  'Create another one on the page of hosts in Tocsin, and run the command that is shown there.';

/**
 * Enrols a machine, and returns its credential, this once. A token that is unknown, revoked, expired or used up gets 401. The
 * same `enrollment_id` with the same token is the same agent: it gets a new credential, and does not count against the token
 * again.
 */
export async function enroll(work: Work, body: Enrollment): Promise<Enrolled> {
  const { tx, now } = work;
  const machine = checkedMachine(body);
  const enrollmentId = checkedEnrollmentId(body.enrollment_id);
  const token = await lockToken(tx, body.token, now);
  const labels = labelsOver(token.labels, body.labels);
  const credential = newCredential();
  const enrolling = { machine, labels, credential_hash: hashToken(credential) };
  const again = enrollmentId === null ? null : await enrolledBefore(tx, token.id, enrollmentId);
  const agentId = again ?? newId('agt');
  if (again === null) await insertAgent(work, token, { ...enrolling, id: agentId, enrollmentId });
  else await renewAgent(tx, agentId, enrolling);
  const actor = { ...work.actor, kind: 'agent' as const, id: agentId, name: `agent ${machine.hostname}` };
  await recordActivity(
    { ...work, actor },
    {
      orgId: token.org_id,
      action: 'agent.enroll',
      resource: { kind: 'agent', id: agentId, name: machine.hostname },
      after: { id: agentId, ...machine, labels, enrolled_with: token.id },
    },
  );
  return { agent_id: agentId, credential, interval_seconds: HEARTBEAT_SECONDS };
}

type Enrolling = { machine: Machine; labels: string; credential_hash: Buffer };

async function insertAgent(
  work: Work,
  token: Token,
  { id, enrollmentId, machine, ...given }: Enrolling & { id: string; enrollmentId: string | null },
): Promise<void> {
  const { tx, now } = work;
  await spendUse(tx, token);
  await admitAnother(tx, token.org_id);
  const { agent_version, ...fields } = machine;
  const origin = { org_id: token.org_id, enrolled_at: now, enrolled_with: token.id };
  const { no } = await tx
    .insertInto('agents')
    .values({ id, ...origin, enrollment_id: enrollmentId, ...fields, ...given })
    .returning('no')
    .executeTakeFirstOrThrow();
  await insertState(work, no, agent_version);
}

/** The machine never received the answer: it gets a new credential, and the lost one is void. */
async function renewAgent(tx: Tx, id: string, { machine, ...given }: Enrolling): Promise<void> {
  const { agent_version: _, ...fields } = machine;
  await tx
    .updateTable('agents')
    .set({ ...fields, ...given })
    .where('id', '=', id)
    .execute();
}

/** The row that its heartbeats change, and the first event of its host. */
async function insertState({ tx, now }: Work, no: number, version: string): Promise<void> {
  await tx
    .insertInto('agent_states')
    .values({
      agent_no: no,
      agent_version: version,
      // An agent that never sends a heartbeat is silent, too.
      look_at: new Date(now.getTime() + SILENT_AFTER_SECONDS * 1000),
      rolled_until: new Date(bucketStart(now.getTime() / 1000, SPAN_SECONDS) * 1000),
    })
    .execute();
  await tx
    .insertInto('agent_events')
    .values({ at: now, agent_no: no, kind: 'enrolled', detail: `with version ${version}` })
    .execute();
}

/** Locks the row of a token that enrols at `now`, or did; refuses any other with 401. Takes the lock on limits first. */
async function lockToken(tx: Tx, text: string, now: Date): Promise<Token> {
  const hash = hashToken(text);
  const known = await tx
    .selectFrom('agent_enrollment_tokens')
    .select('org_id')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!known)
    refuse(
      'unauthenticated',
      `This enrolment token is not known; it may have been revoked. ${ASK_FOR_ANOTHER}`,
    );
  await lockLimits(tx, known.org_id);
  const token = await tx
    .selectFrom('agent_enrollment_tokens')
    .select(['id', 'org_id', 'labels', 'uses', 'used', 'expires_at'])
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
  if (!token) refuse('unauthenticated', `This enrolment token was revoked. ${ASK_FOR_ANOTHER}`);
  if (token.expires_at <= now)
    refuse(
      'unauthenticated',
      `This enrolment token expired at ${token.expires_at.toISOString()}. ${ASK_FOR_ANOTHER}`,
    );
  return token;
}

async function spendUse(tx: Tx, { id, uses, used }: Token): Promise<void> {
  if (used >= uses) {
    const times = uses === 1 ? 'one host' : `${uses} hosts`;
    refuse(
      'unauthenticated',
      `This enrolment token was for ${times}, and has been used up. ${ASK_FOR_ANOTHER}`,
    );
  }
  await tx
    .updateTable('agent_enrollment_tokens')
    .set({ used: used + 1 })
    .where('id', '=', id)
    .execute();
}

async function enrolledBefore(tx: Tx, tokenId: string, enrollmentId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('agents')
    .select('id')
    .where('enrolled_with', '=', tokenId)
    .where('enrollment_id', '=', enrollmentId)
    // Somebody may be removing the agent: then this machine becomes another one.
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The caller holds the lock on the limits of the organization. */
async function admitAnother(tx: Tx, orgId: string): Promise<void> {
  const found = await tx
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (Number(found?.n ?? 0) >= MAX_AGENTS)
    refuse(
      'limit_reached',
      `This organization has ${MAX_AGENTS} agents, which is the maximum; remove those of machines that no longer exist.`,
      { limit: MAX_AGENTS },
    );
}

/** The machine's own description of itself, trimmed. Only `os` may be empty. */
function checkedMachine(body: Enrollment): Machine {
  return {
    hostname: checkedText('hostname', body.hostname),
    platform: checkedText('platform', body.platform),
    os: checkedText('os', body.os, true),
    arch: checkedText('arch', body.arch),
    agent_version: checkedText('agent_version', body.agent_version),
  };
}

function checkedText(field: string, text: string, mayBeEmpty = false): string {
  const trimmed = text.trim();
  if (/\p{C}/u.test(trimmed))
    refuse('invalid_request', `${field} has a control character or another one that is not visible.`, {
      field,
    });
  if (trimmed === '' && !mayBeEmpty) refuse('invalid_request', `${field} must not be empty.`, { field });
  return trimmed;
}

function checkedEnrollmentId(given: string | null | undefined): string | null {
  if (given == null) return null;
  const field = 'enrollment_id';
  const word = checkedText(field, given);
  if (word.length < SHORTEST_ENROLLMENT_ID)
    refuse(
      'invalid_request',
      `${field} must be a random word of ${SHORTEST_ENROLLMENT_ID} characters or more: no other machine may have the same.`,
      { field },
    );
  return word;
}
