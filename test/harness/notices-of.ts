// A sender of notices for tests that send them by hand.
import type { Config } from '#src/config/config.ts';
import { makeMail } from '#src/platform/mail/mail.ts';
import { makePush } from '#src/platform/push/push.ts';
import { makePushKey, vapidKeys, vapidSubject } from '#src/platform/push/vapid.ts';
import type { Vault } from '#src/platform/secrets.ts';
import type { Database } from '#src/platform/work.ts';
import { sendDueReports } from '#src/reports/mailed/send.ts';
import { sendPageMails } from '#src/status-pages/subscriptions/sender.ts';
import type { NoticeSenderOptions } from '#src/user-notifications/sender.ts';
import type { Clock } from './app.ts';
import { silent } from './cluster.ts';

/** The parts of a sender of notices, as a server has them. */
export function noticesOf(
  config: Config,
  { db, vault, clock }: { db: Database; vault: Vault; clock: Clock },
): NoticeSenderOptions {
  const { baseUrl, allowPrivateWebhooks: allowPrivate } = config;
  return {
    db,
    clock: clock.now,
    log: silent,
    mail: makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom }),
    push: makePush({
      keys: vapidKeys(makePushKey(vault.derive)),
      subject: vapidSubject(config),
      allowPrivate,
    }),
    baseUrl,
    random: () => 0.5,
  };
}

/** Sends the mails of status pages that are due, as a server does; none if no mail can be sent. */
export async function sendMailsOfPages(
  { mail, ...options }: NoticeSenderOptions,
  vault: Vault,
): Promise<void> {
  const key = vault.derive('visitors of status pages');
  if (mail !== null) await sendPageMails({ ...options, mail, key, edgePort: '' });
}

/** Mails the reports that are due, as a server does; none if no mail can be sent. */
export async function sendMailedReports(
  { mail, ...options }: NoticeSenderOptions,
  vault: Vault,
): Promise<void> {
  if (mail !== null)
    await sendDueReports({ ...options, mail, key: vault.derive('visitors of status pages') });
}
