import type { PageLanguage } from '#src/domain/names.ts';
import { layout, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';

const WORDS = {
  en: {
    subject: 'A new password for {page}',
    title: 'Choose a new password',
    lead: 'Somebody, most likely you, wants a new password for {username} on the status page “{page}”.',
    button: 'Choose a password',
    until:
      'The link works for 30 minutes, once. If you did not ask for it, do nothing: the password stays as it is.',
  },
  de: {
    subject: 'Ein neues Passwort für {page}',
    title: 'Neues Passwort wählen',
    lead: 'Jemand, vermutlich Sie, möchte ein neues Passwort für {username} auf der Statusseite „{page}“.',
    button: 'Passwort wählen',
    until:
      'Der Link gilt 30 Minuten, einmal. Wenn Sie das nicht waren, tun Sie nichts: Das Passwort bleibt, wie es ist.',
  },
} as const;

/** The mail to a viewer who forgot the password; it does not name the product, as the invitation does not. */
export function resetMail(given: { language: PageLanguage; page: string; username: string; link: string }) {
  const words = WORDS[given.language];
  const [page, username] = [nameInMail(given.page), nameInMail(given.username)];
  const bodies = layout({
    language: given.language,
    title: words.title,
    paragraphs: [filled(words.lead, { page, username })],
    button: { label: words.button, url: given.link },
    smallPrint: [words.until],
  });
  return { subject: filled(words.subject, { page }), ...bodies };
}
