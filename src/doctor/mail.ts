import type { PageLanguage } from '../domain/names.ts';
import { browserLanguage } from '../platform/http/current-request.ts';
import { layout } from '../platform/mail/layout.ts';
import { type Mail, MailFailure } from '../platform/mail/mail.ts';
import { type Finding, finding } from './finding.ts';

/**
 * Whether the mail server accepts us: connects, and signs in if SMTP_URL has a user. Sends nothing, or with `to` one real
 * message to that address.
 */
export async function checkMail(mail: Mail | null, baseUrl: string, to: string | null): Promise<Finding> {
  if (!mail) return finding(to === null ? 'warn' : 'fail', 'mail', 'mail_absent');
  try {
    await mail.verify();
  } catch (error) {
    return finding('fail', 'mail', 'mail_refused', { reason: reasonOf(error) });
  }
  if (to === null) return finding('ok', 'mail', 'mail_accepted');
  try {
    await mail.send({ to, ...testMail(baseUrl, browserLanguage() ?? 'en') });
    return finding('ok', 'mail', 'mail_sent', { to });
  } catch (error) {
    return finding('fail', 'mail', 'mail_not_sent', { to, reason: reasonOf(error) });
  }
}

const en = {
  title: 'Tocsin can send mail',
  paragraphs: [
    'The doctor of a Tocsin installation sent this message, because its operator asked for it. Mails about outages come the same way.',
    'If it lies among the unwanted mail, tell your mail program that it does not belong there.',
  ],
  open: 'Open Tocsin',
};

const de: typeof en = {
  title: 'Tocsin kann Mails senden',
  paragraphs: [
    'Der Doctor einer Tocsin-Installation hat diese Nachricht gesendet, weil ihr Betreiber darum gebeten hat. Mails über Ausfälle kommen auf demselben Weg.',
    'Wenn sie im Spam-Ordner liegt, sagen Sie Ihrem Mailprogramm, dass sie dort nicht hingehört.',
  ],
  open: 'Tocsin öffnen',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

function testMail(baseUrl: string, language: PageLanguage) {
  const { title, paragraphs, open } = WORDS[language];
  const button = { label: open, url: `${baseUrl}/app` };
  return { subject: title, ...layout({ language, title, paragraphs, button }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof MailFailure) return error.message;
  throw error;
}
