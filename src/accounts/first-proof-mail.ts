// Mails the owner of an address what its first proof removed, if somebody had used the account before.
import { sql } from 'kysely';
import type { Log } from '../platform/log.ts';
import { layout, nameInMail } from '../platform/mail/layout.ts';
import type { Mail } from '../platform/mail/mail.ts';
import type { Database } from '../platform/work.ts';
import type { FirstProof, Removed } from './first-proof.ts';

export type MailOwnerOptions = { db: Database; log: Log; mail: Mail | null; baseUrl: string };

const WORDS: Record<keyof Removed, readonly [one: string, many: string]> = {
  passwords: ['password', 'passwords'],
  passkeys: ['passkey', 'passkeys'],
  authenticators: [
    'authenticator app with its recovery codes',
    'authenticator apps with their recovery codes',
  ],
  identities: ['linked sign-in provider', 'linked sign-in providers'],
  sessions: ['session', 'sessions'],
  push_subscriptions: ['browser that notices were pushed to', 'browsers that notices were pushed to'],
  calendars: ['address of an on-call calendar', 'addresses of on-call calendars'],
  wall_links: ['link to a wall display', 'links to wall displays'],
  api_keys: ['API key', 'API keys'],
  invitations: ['open invitation', 'open invitations'],
};

/** Mails the owner what was removed, after the commit; logs a failed mail. Sends nothing if nothing was removed. */
export async function mailOwner(options: MailOwnerOptions, proof: FirstProof | null): Promise<void> {
  const { db, log, mail, baseUrl } = options;
  if (!mail || !proof || Object.values(proof.removed).every((count) => count === 0)) return;
  try {
    const { rows } = await sql<{ name: string; role: string }>`
      SELECT o.name, m.role FROM members m JOIN organizations o ON o.id = m.org_id
      WHERE m.user_id = ${proof.userId} ORDER BY m.joined_at LIMIT 50`.execute(db);
    await mail.send({ to: proof.email, ...mailOf(proof, rows, baseUrl) });
  } catch (error) {
    log.warn({ err: error, user_id: proof.userId }, 'the mail about a first proof could not be sent');
  }
}

function mailOf({ removed }: FirstProof, places: readonly { name: string; role: string }[], baseUrl: string) {
  const title = 'Your account was cleared of what was in it before';
  const gone = (Object.keys(WORDS) as (keyof Removed)[])
    .filter((kind) => removed[kind] > 0)
    .map((kind) => `${removed[kind]} ${WORDS[kind][removed[kind] === 1 ? 0 : 1]}`);
  const memberships = places.map(({ name, role }) => `${nameInMail(name)} (${role})`);
  return {
    subject: `${title} – Tocsin`,
    ...layout({
      title,
      paragraphs: [
        'You have just proven for the first time that this address is yours. Until then anybody could have made the ' +
          'account, so every way into it that was there before was removed:',
        ...(memberships.length > 0
          ? [
              `The account belongs to: ${memberships.join(', ')}. Leave what you do not know; what others set up ` +
                'there was not touched.',
            ]
          : []),
      ],
      items: gone,
      button: { label: 'Look at your account', url: `${baseUrl}/app/account` },
      smallPrint: ['If you had set these up yourself, set them up again: they are safe from now on.'],
    }),
  };
}
