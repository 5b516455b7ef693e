import type { PageLanguage } from '../domain/names.ts';
import { addressInMail, layout, nameInMail } from '../platform/mail/layout.ts';
import { filled } from '../platform/page-language.ts';
import type { Invitation } from './contract.ts';

export type InvitationMail = {
  invitation: Invitation;
  organization: string;
  by: { name: string; email: string };
  link: string;
  language: PageLanguage;
};

const en = {
  locale: 'en-GB',
  subject: '{who} invites you to {place} on Tocsin',
  title: 'Join {place} on Tocsin',
  lead: '{who} invites you to the organization “{place}” on Tocsin, which watches services and raises the alarm when they fail.',
  todo: 'Your role there will be {role}. Open the invitation and sign in, or create your account with {to}.',
  until: 'The invitation works once, until {until} UTC.',
  button: 'Open the invitation',
  stranger:
    'This mail was sent to {to} because somebody entered that address. If you do not know them, ignore it: nothing happens without you.',
  roles: {} as Readonly<Record<string, string>>,
};

const de: typeof en = {
  locale: 'de',
  subject: '{who} lädt Sie auf Tocsin zu {place} ein',
  title: 'Einladung zu {place} auf Tocsin',
  lead: '{who} lädt Sie in die Organisation „{place}“ auf Tocsin ein. Tocsin überwacht Dienste und schlägt Alarm, wenn sie ausfallen.',
  todo: 'Ihre Rolle dort wird {role} sein. Öffnen Sie die Einladung und melden Sie sich an, oder legen Sie Ihr Konto mit {to} an.',
  until: 'Die Einladung gilt einmal, bis {until} UTC.',
  button: 'Einladung öffnen',
  stranger:
    'Diese Mail ging an {to}, weil jemand diese Adresse eingegeben hat. Wenn Sie die Person nicht kennen, beachten Sie sie nicht: Ohne Sie geschieht nichts.',
  roles: { owner: 'Inhaber', admin: 'Admin', manager: 'Manager', member: 'Mitglied', viewer: 'Betrachter' },
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** The words of an invitation: who invites, to what, as what, what to do, and until when. */
export function invitationMail({ invitation, organization, by, link, language }: InvitationMail) {
  const words = WORDS[language];
  const place = nameInMail(organization);
  const name = nameInMail(by.name);
  const address = addressInMail(by.email);
  const to = addressInMail(invitation.email);
  const who = name === '' || name === address ? address : `${name} (${address})`;
  const role = words.roles[invitation.role] ?? invitation.role;
  const date = new Intl.DateTimeFormat(words.locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const until = date.format(new Date(invitation.expires_at_unix * 1000));
  const bodies = layout({
    language,
    title: filled(words.title, { place }),
    paragraphs: [
      filled(words.lead, { who, place }),
      filled(words.todo, { role, to }),
      filled(words.until, { until }),
    ],
    button: { label: words.button, url: link },
    smallPrint: [filled(words.stranger, { to })],
  });
  return { subject: filled(words.subject, { who: name === '' ? address : name, place }), ...bodies };
}
