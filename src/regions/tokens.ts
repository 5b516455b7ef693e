// Probe tokens: a token says which region its probe speaks for. Only a hash is kept.
import { createHmac } from 'node:crypto';
import type { Caller } from '../platform/http/caller.ts';
import { hashToken } from '../platform/secrets.ts';
import type { Database, Work } from '../platform/work.ts';

/** The bundled probe's token: derived, so that every node and every start agree on it. */
export function localProbeToken(secretKey: string): string {
  return `tcp_${createHmac('sha256', secretKey).update('local probe token').digest('base64url')}`;
}

/** Makes a token known for a region; its hash is all that is kept. */
export async function saveProbeToken(work: Work, regionNo: number, token: string): Promise<void> {
  await work.tx
    .insertInto('probe_tokens')
    .values({ hash: hashToken(token), region_no: regionNo, created_at: work.now })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** The probe behind a Bearer token; null when it is not one of ours. */
export async function identifyProbe(db: Database, authorization: string | undefined): Promise<Caller | null> {
  const token = /^Bearer (tcp_[A-Za-z0-9_-]{43})$/.exec(authorization ?? '')?.[1];
  if (!token) return null;
  const region = await db
    .selectFrom('probe_tokens')
    .innerJoin('regions', 'regions.no', 'probe_tokens.region_no')
    .select(['regions.no', 'regions.slug', 'regions.allow_private_targets'])
    .where('probe_tokens.hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!region) return null;
  return {
    kind: 'probe',
    regionNo: region.no,
    regionSlug: region.slug,
    allowPrivateTargets: region.allow_private_targets,
  };
}
