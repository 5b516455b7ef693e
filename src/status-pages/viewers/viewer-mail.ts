import type { PageLanguage } from '#src/domain/names.ts';
import { addressInMail, layout, nameInMail } from '#src/platform/mail/layout.ts';
import { filled } from '#src/platform/page-language.ts';

export type ViewerMail = {
  /** Name of the status page. */
  page: string;
  viewer: { username: string; email: string };
  /** Name of the inviting person. */
  by: string;
  link: string;
  expiresAt: Date;
  language: PageLanguage;
};

const en = {
  locale: 'en-GB',
  somebody: 'Somebody',
  subject: '{who} gave you access to {place}',
  title: 'You may see {place}',
  lead: '{who} gave you access to the status page “{place}”, which says whether services work and what is done about those that do not.',
  todo: 'Choose a password. You then sign in there as {username}.',
  until: 'The link works until {until} UTC.',
  button: 'Choose a password',
  stranger:
    'This mail was sent to {to} because somebody entered that address. If you do not know them, ignore it: nothing happens without you.',
};

const de: typeof en = {
  locale: 'de',
  somebody: 'Jemand',
  subject: '{who} hat Ihnen Zugang zu {place} gegeben',
  title: 'Sie haben Zugang zu {place}',
  lead: '{who} hat Ihnen Zugang zur Statusseite „{place}“ gegeben. Dort steht, ob Dienste laufen und was geschieht, wenn nicht.',
  todo: 'Wählen Sie ein Passwort. Danach melden Sie sich dort als {username} an.',
  until: 'Der Link gilt bis {until} UTC.',
  button: 'Passwort wählen',
  stranger:
    'Diese Mail ging an {to}, weil jemand diese Adresse eingegeben hat. Wenn Sie die Person nicht kennen, beachten Sie sie nicht: Ohne Sie geschieht nichts.',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** The texts of a viewer's invitation. It is the page's mail, not ours: it does not name the product. */
export function viewerMail({ page, viewer, by, link, expiresAt, language }: ViewerMail) {
  const words = WORDS[language];
  const place = nameInMail(page);
  const who = nameInMail(by) || words.somebody;
  const date = new Intl.DateTimeFormat(words.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const bodies = layout({
    language,
    title: filled(words.title, { place }),
    paragraphs: [
      filled(words.lead, { who, place }),
      filled(words.todo, { username: nameInMail(viewer.username) }),
      filled(words.until, { until: date.format(expiresAt) }),
    ],
    button: { label: words.button, url: link },
    smallPrint: [filled(words.stranger, { to: addressInMail(viewer.email) })],
  });
  return { subject: filled(words.subject, { who, place }), ...bodies };
}
