// Tokens that enrol hosts for a limited time (docs/rules/agents.md#enrolment). Only a hash is stored.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import type { ReplyOf } from '../platform/contract.ts';
import type { Page } from '../platform/http/page.ts';
import { isId, newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { hashToken, randomToken } from '../platform/secrets.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { createEnrollmentToken, EnrollmentToken, EnrollmentTokenCreate } from './contract.ts';
import { checkedLabels } from './labels.ts';

/** The most valid tokens of an organization at a time. */
export const MAX_TOKENS = 200;
const DEFAULT_SECONDS = 3600;

type TokenRow = {
  id: string;
  labels: string;
  uses: number;
  used: number;
  created_at: Date;
  expires_at: Date;
};
const COLUMNS = ['id', 'labels', 'uses', 'used', 'created_at', 'expires_at'] as const;

const showToken = ({ created_at, expires_at, ...row }: TokenRow): EnrollmentToken => ({
  ...row,
  created_at_unix: unix(created_at),
  expires_at_unix: unix(expires_at),
});

/** Tokens of an organization that enrol hosts at `now`. */
const validTokens = (db: Database | Tx, orgId: string, now: Date) =>
  db
    .selectFrom('agent_enrollment_tokens')
    .where('org_id', '=', orgId)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses');

/** Creates a token, and returns it this once, with the commands to paste. 409 `limit_reached` above MAX_TOKENS. */
export async function makeEnrollmentToken(
  work: Work,
  orgId: string,
  { labels, expires_in_seconds, uses }: EnrollmentTokenCreate,
  { baseUrl }: { baseUrl: string },
): Promise<ReplyOf<typeof createEnrollmentToken>> {
  const { tx, now } = work;
  const checked = checkedLabels(labels);
  await refuseAboveLimit(tx, orgId, now);
  const token = `tce_${randomToken(32)}`;
  const row = await tx
    .insertInto('agent_enrollment_tokens')
    .values({
      id: newId('aet'),
      org_id: orgId,
      hash: hashToken(token),
      labels: checked,
      uses: uses ?? 1,
      created_at: now,
      expires_at: new Date(now.getTime() + (expires_in_seconds ?? DEFAULT_SECONDS) * 1000),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  const shown = showToken(row);
  await recordActivity(work, {
    orgId,
    action: 'agent.create_token',
    resource: { kind: 'enrollment_token', id: row.id, name: null },
    after: shown,
  });
  return { ...shown, token, ...enrollmentCommands(baseUrl, token) };
}

async function refuseAboveLimit(tx: Tx, orgId: string, now: Date): Promise<void> {
  await lockLimits(tx, orgId);
  const found = await validTokens(tx, orgId, now)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirst();
  if (Number(found?.n ?? 0) >= MAX_TOKENS)
    refuse(
      'limit_reached',
      `This organization has ${MAX_TOKENS} valid enrolment tokens, which is the maximum; revoke one, or wait until one expires. One token can enrol many hosts.`,
      { limit: MAX_TOKENS },
    );
}

/**
 * The commands that enrol a machine and install the agent as a service: as one line, and as separate steps, each of which runs
 * only if the one before it succeeded.
 */
export function enrollmentCommands(
  baseUrl: string,
  token: string,
): { command: string; checked_command: string } {
  const base = baseUrl.replace(/\/+$/, '');
  const agent = `${base}/download/tocsin-agent.mjs`;
  return {
    command: `curl -fsSL ${base}/download/install-agent.sh | sudo sh -s -- --url ${base} --token ${token}`,
    checked_command: [
      `curl -fsSLO ${agent}`,
      `curl -fsSL ${agent}.sha256 | sha256sum -c`,
      `sudo node tocsin-agent.mjs install --url ${base} --token ${token}`,
    ].join(' &&\n'),
  };
}

/** Tokens that are still valid, newest first; `before` is a token id of the same organization. */
export async function listTokens(
  db: Database,
  orgId: string,
  { limit, before }: Page,
  now: Date,
): Promise<EnrollmentToken[]> {
  if (before !== null) await findToken(db, orgId, before);
  let query = validTokens(db, orgId, now).select(COLUMNS);
  if (before !== null) query = query.where('id', '<', before);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(showToken);
}

/** A token of an organization; 404 if it is unknown or another organization's. */
export async function findToken(db: Database | Tx, orgId: string, tokenId: string): Promise<void> {
  const row = isId('aet', tokenId)
    ? await db
        .selectFrom('agent_enrollment_tokens')
        .select('id')
        .where('id', '=', tokenId)
        .where('org_id', '=', orgId)
        .executeTakeFirst()
    : undefined;
  if (!row) notFound('enrolment token');
}

/** Revokes a token: it enrols no further machine. Agents that it enrolled stay. */
export async function revokeToken(work: Work, orgId: string, tokenId: string): Promise<void> {
  const row = await work.tx
    .deleteFrom('agent_enrollment_tokens')
    .where('id', '=', tokenId)
    .where('org_id', '=', orgId)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (!row) notFound('enrolment token');
  await recordActivity(work, {
    orgId,
    action: 'agent.revoke_token',
    resource: { kind: 'enrollment_token', id: row.id, name: null },
    before: showToken(row),
  });
}

/** Removes expired tokens. A machine that lost its answer cannot ask for it again after that. */
export async function forgetExpiredTokens(db: Database, now: Date): Promise<void> {
  await sql`DELETE FROM agent_enrollment_tokens WHERE expires_at < ${now}`.execute(db);
}
