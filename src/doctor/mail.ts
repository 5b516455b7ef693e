import { layout } from '../platform/mail/layout.ts';
import { type Mail, MailFailure } from '../platform/mail/mail.ts';
import { type Finding, finding } from './finding.ts';

/**
 * Whether the mail server accepts us: connects, and signs in if SMTP_URL has a user. Sends nothing, or with `to` one real
 * message to that address.
 */
export async function lookAtMail(mail: Mail | null, baseUrl: string, to: string | null): Promise<Finding> {
  if (!mail) return finding(to === null ? 'warn' : 'fail', 'mail', 'mail_absent');
  try {
    await mail.verify();
  } catch (error) {
    return finding('fail', 'mail', 'mail_refused', { reason: reasonOf(error) });
  }
  if (to === null) return finding('ok', 'mail', 'mail_accepted');
  try {
    await mail.send({ to, subject: 'Tocsin can send mail', ...layout(testMail(baseUrl)) });
    return finding('ok', 'mail', 'mail_sent', { to });
  } catch (error) {
    return finding('fail', 'mail', 'mail_not_sent', { to, reason: reasonOf(error) });
  }
}

const testMail = (baseUrl: string) => ({
  title: 'Tocsin can send mail',
  paragraphs: [
    'The doctor of a Tocsin installation sent this message, because its operator asked for it. Mails about outages come the same way.',
    'If it lies among the unwanted mail, tell your mail program that it does not belong there.',
  ],
  button: { label: 'Open Tocsin', url: `${baseUrl}/app` },
});

function reasonOf(error: unknown): string {
  if (error instanceof MailFailure) return error.message;
  throw error;
}
