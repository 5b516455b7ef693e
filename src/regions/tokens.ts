// Probe tokens: a token determines the region of its probe. Only a hash and a hint are kept.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { Caller } from '../platform/http/caller.ts';
import { newId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import { hashToken, randomToken } from '../platform/secrets.ts';
import type { Database, Work } from '../platform/work.ts';
import { findRegion } from './find.ts';
import { wakeProbes } from './wake.ts';

/** Default number of names that a token admits: a probe, a second one, and one that was reinstalled. */
export const DEFAULT_PROBES_PER_TOKEN = 3;

/** Says that the bundled probe's token was revoked. */
export const RENEWED_CHANNEL = 'tocsin_bundled_token';

export type TokenOptions = {
  /** The number of probe names it admits without the operator; null: any number. */
  maxProbes: number | null;
  /** Whether it is the token of the bundled probe. */
  bundled?: boolean;
};

/** Registers a token for a region; only its hash and its last characters are kept. Returns its id. */
export async function saveProbeToken(
  work: Work,
  regionNo: number,
  token: string,
  { maxProbes, bundled = false }: TokenOptions,
): Promise<string> {
  const rules = { hint: token.slice(-4), max_probes: maxProbes, bundled };
  const { id } = await work.tx
    .insertInto('probe_tokens')
    .values({
      id: newId('ptk'),
      hash: hashToken(token),
      region_no: regionNo,
      created_at: work.now,
      ...rules,
    })
    // A token from before this rule gets the rule too.
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(rules))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Revokes these tokens. */
export async function voidProbeTokens({ tx }: Work, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  await tx.deleteFrom('probe_tokens').where('hash', 'in', tokens.map(hashToken)).execute();
}

/**
 * Creates a token for the probes of a region, which admits `maxProbes`. The token is returned once and cannot be read
 * again.
 */
export async function createProbeToken(
  work: Work,
  slug: string,
  maxProbes = DEFAULT_PROBES_PER_TOKEN,
): Promise<{ id: string; token: string }> {
  const region = await findRegion(work.tx, slug);
  const token = `tcp_${randomToken(32)}`;
  const id = await saveProbeToken(work, region.no, token, { maxProbes });
  await recordActivity(work, {
    orgId: null,
    action: 'probe_token.create',
    resource: { kind: 'probe_token', id, name: slug },
    after: { id, region: slug, hint: token.slice(-4), max_probes: maxProbes },
  });
  return { id, token };
}

/**
 * Revokes a token: its probes are refused from their next request on, and those that wait at once. The bundled probe
 * automatically gets another one.
 */
export async function revokeProbeToken(work: Work, slug: string, tokenId: string): Promise<void> {
  const region = await findRegion(work.tx, slug);
  const gone = await work.tx
    .deleteFrom('probe_tokens')
    .where('id', '=', tokenId)
    .where('region_no', '=', region.no)
    .returning(['id', 'hint', 'bundled'])
    .executeTakeFirst();
  if (!gone) notFound('probe token');
  if (gone.bundled) await renewBundledToken(work);
  await wakeProbes(work.tx, region.no);
  await recordActivity(work, {
    orgId: null,
    action: 'probe_token.revoke',
    resource: { kind: 'probe_token', id: gone.id, name: slug },
    before: { id: gone.id, region: slug, hint: gone.hint },
  });
}

/** Advances to the next number: servers that run the bundled probe register that token and start the probe with it. */
async function renewBundledToken({ tx }: Work): Promise<void> {
  await sql`UPDATE installation SET bundled_token_no = bundled_token_no + 1`.execute(tx);
  await sql`SELECT pg_notify(${RENEWED_CHANNEL}, '')`.execute(tx);
}

/** The command that an operator runs to start the probe. */
export function probeCommand(baseUrl: string, token: string): string {
  return `tocsin probe --url ${baseUrl} --token ${token}`;
}

/** The probe behind a Bearer token; null when it is not one of ours. */
export async function identifyProbe(db: Database, authorization: string | undefined): Promise<Caller | null> {
  const token = /^Bearer (tcp_[A-Za-z0-9_-]{43})$/.exec(authorization ?? '')?.[1];
  if (!token) return null;
  // Plain SQL: every post of a probe waits for it, and the query builder takes half as long as the answer.
  const { rows } = await sql<{ no: number; slug: string; id: string }>`
    SELECT r.no, r.slug, t.id FROM probe_tokens t JOIN regions r ON r.no = t.region_no
    WHERE t.hash = ${hashToken(token)}`.execute(db);
  const [region] = rows;
  return region ? { kind: 'probe', regionNo: region.no, regionSlug: region.slug, tokenId: region.id } : null;
}
