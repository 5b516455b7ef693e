// Mails the owner of an address what its first proof removed, if somebody had used the account before.
import { sql } from 'kysely';
import type { PageLanguage } from '../domain/names.ts';
import { browserLanguage } from '../platform/http/current-request.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Database } from '../platform/work.ts';
import { firstProofMail } from './account-mails.ts';
import type { FirstProof } from './first-proof.ts';

export type MailOwnerOptions = { db: Database; log: Log; mail: Mail | null; baseUrl: string };

/** Mails the owner what was removed, after the commit; logs a failed mail. Sends nothing if nothing was removed. */
export async function mailOwner(options: MailOwnerOptions, proof: FirstProof | null): Promise<void> {
  const { db, log, mail, baseUrl } = options;
  if (!mail || !proof || Object.values(proof.removed).every((count) => count === 0)) return;
  const browser = browserLanguage();
  try {
    const { rows } = await sql<{ language: PageLanguage | null; name: string | null; role: string | null }>`
      SELECT u.language, o.name, m.role FROM users u
      LEFT JOIN members m ON m.user_id = u.id LEFT JOIN organizations o ON o.id = m.org_id
      WHERE u.id = ${proof.userId} ORDER BY m.joined_at LIMIT 50`.execute(db);
    const places = rows.flatMap(({ name, role }) => (name !== null && role !== null ? { name, role } : []));
    const language = browser ?? rows[0]?.language ?? 'en';
    await mail.send({ to: proof.email, ...firstProofMail(language, baseUrl, proof.removed, places) });
  } catch (error) {
    log.warn({ err: error, user_id: proof.userId }, 'the mail about a first proof could not be sent');
  }
}
