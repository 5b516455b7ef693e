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
    'This is a test: the operator of a Tocsin installation had its doctor send this message. Mails about outages arrive the same way.',
    'If it is in your spam folder, mark it as not spam.',
  ],
  open: 'Open Tocsin',
};

const de: typeof en = {
  title: 'Tocsin kann Mails senden',
  paragraphs: [
    'Das ist ein Test: Der Betreiber einer Tocsin-Installation hat diese Nachricht senden lassen. Mails über Ausfälle kommen auf demselben Weg an.',
    'Wenn sie im Spam-Ordner liegt, markieren Sie sie als „kein Spam“.',
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
