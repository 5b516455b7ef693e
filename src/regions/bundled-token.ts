// The token of the bundled probe. It is derived, so that all servers agree on it after every start, and numbered, so that a
// revoked token has a successor.
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Listener } from '../platform/db/listener.ts';
import type { Log } from '../platform/log.ts';
import { hashToken } from '../platform/secrets.ts';
import { type Database, runWork, SYSTEM, type Tx, type Work } from '../platform/work.ts';
import { RENEWED_CHANNEL, saveProbeToken, voidProbeTokens } from './tokens.ts';

/** The bundled probe's token of a number, the first being 0. */
export function bundledToken(secretKey: string, no: number): string {
  const what = no === 0 ? 'local probe token' : `local probe token ${no}`;
  return `tcp_${createHmac('sha256', secretKey).update(what).digest('base64url')}`;
}

/**
 * Registers the current token for the region of the bundled probe, and voids earlier ones: those of lower numbers and
 * of `earlierKeys`. Returns it.
 */
export async function keepBundledToken(
  work: Work,
  regionNo: number,
  { secretKey, earlierKeys }: { secretKey: string; earlierKeys: readonly string[] },
): Promise<string> {
  const no = await numberInForce(work.tx);
  const token = bundledToken(secretKey, no);
  await voidProbeTokens(
    work,
    earlierKeys.flatMap((key) => [bundledToken(key, 0), bundledToken(key, no)]),
  );
  await work.tx
    .deleteFrom('probe_tokens')
    .where('bundled', '=', true)
    .where('hash', '<>', hashToken(token))
    .execute();
  // Every server has one of its own, and none leaves it.
  await saveProbeToken(work, regionNo, token, { maxProbes: null, bundled: true });
  return token;
}

/** Calls `renewed` with each later token of the bundled probe, once that is registered. */
export function followBundledToken(
  { db, listener, clock, log }: { db: Database; listener: Listener; clock: () => Date; log: Log },
  keys: { regionNo: number; token: string; secretKey: string; earlierKeys: readonly string[] },
  renewed: (token: string) => void,
): void {
  let last = keys.token;
  listener.listen(RENEWED_CHANNEL, () => {
    runWork(db, clock(), SYSTEM, (work) => keepBundledToken(work, keys.regionNo, keys)).then(
      (token) => {
        if (token !== last) renewed(token);
        last = token;
      },
      (err: unknown) => log.error({ err }, 'the token of the bundled probe could not be renewed'),
    );
  });
}

async function numberInForce(tx: Tx): Promise<number> {
  // Locked: two servers that start at once agree.
  const { rows } = await sql<{ no: number }>`
    SELECT bundled_token_no AS no FROM installation FOR UPDATE`.execute(tx);
  return rows[0]?.no ?? 0;
}
