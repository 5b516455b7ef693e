// Mails to subscribers as text and HTML, from the frozen content of announcements.
import type { PageLanguage } from '#src/domain/names.ts';
import { layout, nameInMail } from '#src/platform/mail/layout.ts';
import type { Message } from '#src/platform/mail/mail.ts';
import { filled } from '#src/platform/page-language.ts';
import { formatsOf } from '../public/formats.ts';
import { type Announcement, type IncidentFacts, isIncident, type WindowFacts } from './facts.ts';
import { SUBSCRIPTION_WORDS } from './words.ts';

export type Recipient = {
  email: string;
  language: PageLanguage;
  pageName: string;
  /** IANA zone of the page. */
  timezone: string;
  /** Absolute addresses. */
  pageUrl: string;
  manageUrl: string;
  unsubscribeUrl: string;
};

type Body = Omit<Message, 'to'>;

/** Asks whether the address is the reader's; only a button confirms it. */
export function confirmMail(to: Recipient, confirmUrl: string): Body {
  const words = SUBSCRIPTION_WORDS[to.language];
  const page = nameInMail(to.pageName);
  return {
    subject: filled(words.confirmSubject, { page }),
    ...layout({
      language: to.language,
      title: filled(words.confirmTitle, { page }),
      paragraphs: [filled(words.confirmLead, { page })],
      button: { label: words.confirmButton, url: confirmUrl },
      smallPrint: [words.confirmIgnore],
    }),
  };
}

/** To an address that subscribed again: the answer must not reveal more to a stranger than the first one did. */
export function knownMail(to: Recipient): Body {
  const words = SUBSCRIPTION_WORDS[to.language];
  const page = nameInMail(to.pageName);
  return {
    subject: filled(words.knownSubject, { page }),
    ...layout({
      language: to.language,
      title: filled(words.knownTitle, { page }),
      paragraphs: [filled(words.knownLead, { page })],
      button: { label: words.manage, url: to.manageUrl },
      smallPrint: [words.confirmIgnore],
    }),
    unsubscribeUrl: to.unsubscribeUrl,
  };
}

/** The events, in order. `labelOf` returns the public label of a monitor on the page. */
export function newsMail(
  to: Recipient,
  announcements: readonly Announcement[],
  labelOf: (monitorNo: number) => string | undefined,
): Body {
  const words = SUBSCRIPTION_WORDS[to.language];
  const page = nameInMail(to.pageName);
  const entries = announcements.map((announcement) => entryOf(announcement, to, labelOf));
  const [first] = entries;
  const title =
    entries.length === 1 && first ? first.title : filled(words.several, { count: entries.length, page });
  return {
    subject: entries.length === 1 ? `${page}: ${title}` : title,
    ...layout({
      language: to.language,
      title,
      paragraphs: entries.length === 1 && first ? first.lines : [],
      items: entries.length === 1 ? [] : entries.map(({ title, lines }) => [title, ...lines].join(' · ')),
      button: { label: words.open, url: to.pageUrl },
      links: [{ label: words.manage, url: to.manageUrl }],
      smallPrint: [filled(words.why, { page })],
    }),
    unsubscribeUrl: to.unsubscribeUrl,
  };
}

type Entry = { title: string; lines: string[] };

function entryOf(
  announcement: Announcement,
  to: Recipient,
  labelOf: (monitorNo: number) => string | undefined,
): Entry {
  const words = SUBSCRIPTION_WORDS[to.language];
  const kind = words.kinds[announcement.kind];
  const labelsOf = (nos: readonly number[]) => nos.flatMap((no) => nameInMail(labelOf(no) ?? '') || []);
  const lineOf = (line: string, labels: readonly string[]) =>
    labels.length === 0 ? [] : [filled(line, { labels: labels.join(', ') })];
  if (isIncident(announcement)) {
    const labels = labelsOf(announcement.monitorNos);
    const title = labels.length === 0 ? kind : `${kind}: ${labels[0]}`;
    return { title, lines: [...incidentLines(announcement.facts, to), ...lineOf(words.monitors, labels)] };
  }
  const facts = announcement.facts as WindowFacts;
  const left = facts.left_nos ?? [];
  const time = formatsOf(to.language, to.timezone);
  const span = filled(words.from, {
    from: time.moment(new Date(facts.scheduled_start * 1000)),
    to: time.moment(new Date(facts.scheduled_end * 1000)),
  });
  const body = nameInMail(facts.body, 2_000);
  return {
    title: `${kind}: ${nameInMail(facts.title, 200)}`,
    lines: [
      span,
      ...(body === '' ? [] : [body]),
      ...lineOf(words.monitors, labelsOf(announcement.monitorNos.filter((no) => !left.includes(no)))),
      ...lineOf(words.left, labelsOf(left)),
    ],
  };
}

function incidentLines(facts: IncidentFacts, to: Recipient): string[] {
  const words = SUBSCRIPTION_WORDS[to.language];
  const time = formatsOf(to.language, to.timezone);
  const from = time.moment(new Date(facts.started_at_unix * 1000));
  const when =
    facts.resolved_at_unix === null
      ? filled(words.since, { time: from })
      : filled(words.lasted, { from, to: time.moment(new Date(facts.resolved_at_unix * 1000)) });
  const note = facts.note === null ? [] : [nameInMail(facts.note, 2_000)];
  return [...note, when];
}
