// The mails about an account, in English and German: a sign-up to confirm, a forgotten password, what a first proof removed.
import type { PageLanguage } from '../domain/names.ts';
import { layout, nameInMail } from '../platform/mail/layout.ts';
import { filled } from '../platform/page-language.ts';
import type { RemovedAtFirstProof } from './contract.ts';

type Forms = readonly [one: string, many: string];

const en = {
  confirm: {
    subject: 'Confirm your address for Tocsin',
    title: 'Confirm your address',
    paragraphs: [
      'Somebody, most likely you, wants to create an account with this address.',
      'The link works once, within {hours} hours, together with the password that you chose.',
    ],
    ignore: 'If it was not you, do nothing: no account is created.',
  },
  registered: {
    subject: 'You already have an account – Tocsin',
    title: 'You already have an account',
    lead: 'Somebody, most likely you, wanted to create an account with this address. There is one already; nothing was changed.',
    signIn: 'Sign in',
    newPassword: 'Choose a new password',
    ignore: 'If it was not you, do nothing: whoever it was learned nothing about your account.',
  },
  reset: {
    subject: 'Choose a new password for Tocsin',
    title: 'Choose a new password',
    paragraphs: [
      'Somebody, most likely you, asked for a new password for your account.',
      'The link works once, within 30 minutes. Setting a new password ends all your sessions.',
    ],
    ignore: 'If it was not you, do nothing: your password stays as it is.',
  },
  proof: {
    subject: 'Your account was cleared of what was in it before – Tocsin',
    title: 'Your account was cleared of what was in it before',
    lead: 'You have just proven for the first time that this address is yours. Until then anybody could have made the account, so every way into it that was there before was removed:',
    places:
      'The account belongs to: {places}. Leave what you do not know; what others set up there was not touched.',
    button: 'Look at your account',
    again: 'If you had set these up yourself, set them up again: they are safe from now on.',
    removed: {
      passwords: ['password', 'passwords'],
      passkeys: ['passkey', 'passkeys'],
      authenticators: [
        'authenticator app with its recovery codes',
        'authenticator apps with their recovery codes',
      ],
      identities: ['linked sign-in provider', 'linked sign-in providers'],
      sessions: ['session', 'sessions'],
      push_subscriptions: ['browser that received push', 'browsers that received push'],
      calendars: ['address of an on-call calendar', 'addresses of on-call calendars'],
      wall_links: ['link to a wall display', 'links to wall displays'],
      api_keys: ['API key', 'API keys'],
      invitations: ['open invitation', 'open invitations'],
    } as Record<keyof RemovedAtFirstProof, Forms>,
    roles: {} as Readonly<Record<string, string>>,
  },
};

const de: typeof en = {
  confirm: {
    subject: 'Bestätigen Sie Ihre Adresse für Tocsin',
    title: 'Adresse bestätigen',
    paragraphs: [
      'Jemand, vermutlich Sie, möchte mit dieser Adresse ein Konto anlegen.',
      'Der Link gilt einmal, {hours} Stunden lang, zusammen mit dem Passwort, das Sie gewählt haben.',
    ],
    ignore: 'Wenn Sie das nicht waren, tun Sie nichts: Es wird kein Konto angelegt.',
  },
  registered: {
    subject: 'Sie haben bereits ein Konto – Tocsin',
    title: 'Sie haben bereits ein Konto',
    lead: 'Jemand, vermutlich Sie, wollte mit dieser Adresse ein Konto anlegen. Es gibt schon eines; es wurde nichts geändert.',
    signIn: 'Anmelden',
    newPassword: 'Neues Passwort wählen',
    ignore: 'Wenn Sie das nicht waren, tun Sie nichts: Wer immer es war, hat nichts über Ihr Konto erfahren.',
  },
  reset: {
    subject: 'Wählen Sie ein neues Passwort für Tocsin',
    title: 'Neues Passwort wählen',
    paragraphs: [
      'Jemand, vermutlich Sie, möchte ein neues Passwort für Ihr Konto.',
      'Der Link gilt einmal, 30 Minuten lang. Ein neues Passwort beendet alle Ihre Sitzungen.',
    ],
    ignore: 'Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  },
  proof: {
    subject: 'Ihr Konto wurde von allem Früheren befreit – Tocsin',
    title: 'Ihr Konto wurde von allem Früheren befreit',
    lead: 'Sie haben gerade zum ersten Mal bewiesen, dass diese Adresse Ihnen gehört. Bis dahin hätte jeder das Konto anlegen können. Deshalb wurde jeder Zugang entfernt, der vorher da war:',
    places:
      'Das Konto gehört zu: {places}. Verlassen Sie, was Sie nicht kennen; was andere dort eingerichtet haben, blieb unberührt.',
    button: 'Konto ansehen',
    again:
      'Wenn Sie selbst das eingerichtet hatten, richten Sie es noch einmal ein: Von jetzt an ist es sicher.',
    removed: {
      passwords: ['Passwort', 'Passwörter'],
      passkeys: ['Passkey', 'Passkeys'],
      authenticators: [
        'Authenticator-App mit ihren Wiederherstellungscodes',
        'Authenticator-Apps mit ihren Wiederherstellungscodes',
      ],
      identities: ['verknüpfter Anmeldedienst', 'verknüpfte Anmeldedienste'],
      sessions: ['Sitzung', 'Sitzungen'],
      push_subscriptions: ['Browser mit Push-Mitteilungen', 'Browser mit Push-Mitteilungen'],
      calendars: ['Adresse eines Bereitschaftskalenders', 'Adressen von Bereitschaftskalendern'],
      wall_links: ['Link zu einer Wandanzeige', 'Links zu Wandanzeigen'],
      api_keys: ['API-Schlüssel', 'API-Schlüssel'],
      invitations: ['offene Einladung', 'offene Einladungen'],
    },
    roles: { owner: 'Inhaber', admin: 'Admin', manager: 'Manager', member: 'Mitglied', viewer: 'Betrachter' },
  },
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** Asks whoever signed up to follow the link, which works for so many hours. */
export function confirmMail(language: PageLanguage, url: string, hours: number) {
  const { subject, title, paragraphs, ignore } = WORDS[language].confirm;
  const bodies = layout({
    language,
    title,
    paragraphs: paragraphs.map((each) => filled(each, { hours })),
    button: { label: title, url },
    smallPrint: [ignore],
  });
  return { subject, ...bodies };
}

/** Tells the owner of an account that somebody signed up with its address. */
export function registeredMail(language: PageLanguage, baseUrl: string) {
  const { subject, title, lead, signIn, newPassword, ignore } = WORDS[language].registered;
  const bodies = layout({
    language,
    title,
    paragraphs: [lead],
    button: { label: signIn, url: `${baseUrl}/app/sign-in` },
    links: [{ label: newPassword, url: `${baseUrl}/app/forgot-password` }],
    smallPrint: [ignore],
  });
  return { subject, ...bodies };
}

/** The link of a forgotten password. */
export function resetMail(language: PageLanguage, url: string) {
  const { subject, title, paragraphs, ignore } = WORDS[language].reset;
  const bodies = layout({ language, title, paragraphs, button: { label: title, url }, smallPrint: [ignore] });
  return { subject, ...bodies };
}

/** The access that the first proof of an address removed from its account, and the organizations of the account. */
export function firstProofMail(
  language: PageLanguage,
  baseUrl: string,
  removed: RemovedAtFirstProof,
  places: readonly { name: string; role: string }[],
) {
  const words = WORDS[language].proof;
  const gone = (Object.keys(words.removed) as (keyof RemovedAtFirstProof)[])
    .filter((kind) => removed[kind] > 0)
    .map((kind) => `${removed[kind]} ${words.removed[kind][removed[kind] === 1 ? 0 : 1]}`);
  const memberships = places.map(({ name, role }) => `${nameInMail(name)} (${words.roles[role] ?? role})`);
  const bodies = layout({
    language,
    title: words.title,
    paragraphs: [
      words.lead,
      ...(memberships.length > 0 ? [filled(words.places, { places: memberships.join(', ') })] : []),
    ],
    items: gone,
    button: { label: words.button, url: `${baseUrl}/app/account` },
    smallPrint: [words.again],
  });
  return { subject: words.subject, ...bodies };
}
