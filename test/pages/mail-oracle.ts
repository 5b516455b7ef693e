// Which mails subscribers must get: docs/rules/status-pages.md#subscriptions written down a second time, and nothing of src in it.
import { type Incident, isServed, type Page, type Subscription, type Window } from './things.ts';

export type IncidentKind = 'New incident' | 'Update on an incident' | 'Incident resolved';
export type WindowKind =
  | 'Maintenance planned'
  | 'Maintenance changed'
  | 'Maintenance cancelled'
  | 'Maintenance started'
  | 'Maintenance ended';

type Announced = {
  kind: IncidentKind | WindowKind;
  at: number;
  /** Whom it concerns; empty: the whole page. */
  of: Set<number>;
  left: Set<number>;
  /** What people wrote. */
  texts: string[];
  about: Incident | Window;
};
type Mail = {
  to: Subscription;
  /** null: it is the answer to a request. */
  announced: Announced[] | null;
  nextAt: number;
  attempts: number;
};
type Mailing = { waiting: Announced[]; dueAt: number | null; made: number[] };

/** What must be in a mail: its kinds, and what people wrote, both in order of the alphabet. */
export type Expected = { to: Subscription; says: string };

const GATHER = 2;
const [MANY, LATELY, PAUSE] = [3, 300, 60];
const PAUSES = [60, 300, 1800, 7200, 28_800];
const MAX_BOUNCES = 5;
const REQUESTS_A_DAY = 3;

type Pages = {
  labelOf: (page: Page, of: number) => string | undefined;
  shownOn: (page: Page) => readonly { of: number }[];
  isOn: (page: Page, of: Iterable<number>) => boolean;
};

export function makeMailOracle({ labelOf, shownOn, isOn }: Pages) {
  const mailings = new Map<Page, Mailing>();
  let mails: Mail[] = [];
  const requests: number[] = [];
  let refusal: { forGood: boolean; reader: number | null } | null = null;

  const mailingOf = (page: Page): Mailing => {
    const known = mailings.get(page) ?? { waiting: [], dueAt: null, made: [] };
    mailings.set(page, known);
    return known;
  };
  const aliveOf = (page: Page) => page.subscriptions.filter(({ alive }) => alive);

  function announce(page: Page, announced: Announced): void {
    if (!isServed(page) || !aliveOf(page).some(({ confirmed }) => confirmed)) return;
    const mailing = mailingOf(page);
    mailing.waiting.push(announced);
    mailing.dueAt ??= announced.at + GATHER;
  }

  /** Nothing is mailed about what the page does not show when the mail is made. */
  function isStillShown(page: Page, { about, at, of }: Announced): boolean {
    if ('links' in about) {
      const linkedAt = about.links.get(page);
      return !about.discarded && linkedAt !== undefined && linkedAt <= at;
    }
    return about.isPublic && isOn(page, of);
  }

  const concerns = ({ chosen }: Subscription, { of }: Announced) =>
    chosen === null || of.size === 0 || [...of].some((each) => chosen.has(each));

  function makeMailings(now: number): void {
    for (const [page, mailing] of mailings) {
      if (mailing.dueAt === null || mailing.dueAt > now) continue;
      const last = mailing.made.at(-1) ?? 0;
      if (mailing.made.filter((at) => at > now - LATELY).length >= MANY && last + PAUSE > now) {
        mailing.dueAt = last + PAUSE;
        continue;
      }
      const announced = mailing.waiting.filter((each) => isStillShown(page, each));
      Object.assign(mailing, { waiting: [], dueAt: null });
      if (announced.length === 0) continue;
      mailing.made.push(now);
      for (const to of aliveOf(page))
        if (to.confirmed && announced.some((each) => concerns(to, each)))
          mails.push({ to, announced, nextAt: now, attempts: 0 });
    }
  }

  function wordsOf(page: Page, { kind, of, left, texts }: Announced): string[] {
    const labels = (some: Iterable<number>) => [...some].flatMap((each) => labelOf(page, each) ?? []);
    const kept = labels([...of].filter((each) => !left.has(each)));
    const gone = labels(left);
    return [
      kind,
      ...(kept.length > 0 ? ['Affects', ...kept] : []),
      ...(gone.length > 0 ? ['No longer affects', ...gone] : []),
      ...texts,
    ];
  }

  /** What the mail must say; null: nothing in it concerns this subscriber any more. */
  function saysOf({ to, announced }: Mail): string | null {
    const { page, confirmed } = to;
    if (announced === null) return wordsInOrder([confirmed ? 'Your subscription' : 'Confirm', page.name]);
    const own = confirmed ? announced.filter((each) => concerns(to, each)) : [];
    return own.length === 0 ? null : wordsInOrder([page.name, ...own.flatMap((each) => wordsOf(page, each))]);
  }

  function refused(mail: Mail, now: number): boolean {
    const { to } = mail;
    if (refusal === null || (refusal.reader !== null && refusal.reader !== to.reader)) return false;
    const pause = refusal.forGood ? undefined : PAUSES[mail.attempts - 1];
    if (refusal.forGood) to.bounces += 1;
    if (to.bounces >= MAX_BOUNCES) to.alive = false;
    if (pause === undefined) mails = mails.filter((each) => each !== mail);
    else mail.nextAt = now + pause;
    return true;
  }

  return {
    incident(page: Page, kind: IncidentKind, about: Incident, at: number, note?: string): void {
      if (about.discarded) return;
      const of = new Set(about.of === null ? [] : [about.of]);
      announce(page, { kind, at, about, of, left: new Set(), texts: note === undefined ? [] : [note] });
    },
    window(
      page: Page,
      kind: WindowKind,
      { window, left }: { window: Window; left: Set<number> },
      at: number,
    ) {
      const of = new Set([...window.of, ...left]);
      if (!isOn(page, of)) return;
      announce(page, { kind, at, about: window, of, left, texts: [window.title, window.body] });
    },
    forgetMonitor(of: number): void {
      for (const page of mailings.keys()) for (const each of page.subscriptions) each.chosen?.delete(of);
    },
    refuse(how: { forGood: boolean; reader: number | null } | null): void {
      refusal = how;
    },
    /** Whether the address is mailed: it is, three times a day. */
    request(page: Page, reader: number, now: number): void {
      mailingOf(page);
      if (requests.filter((each) => each === reader).length >= REQUESTS_A_DAY) return;
      requests.push(reader);
      let to = aliveOf(page).find((each) => each.reader === reader);
      if (!to) {
        to = {
          ...{ reader, page, confirmed: false, alive: true, chosen: null, bounces: 0 },
          ...{ confirmPath: null, managePath: null },
        };
        page.subscriptions.unshift(to);
      }
      mails.push({ to, announced: null, nextAt: now, attempts: 0 });
    },
    /** Whether the choice is taken. */
    choose(to: Subscription, of: readonly number[] | null): boolean {
      const there = isServed(to.page) ? shownOn(to.page) : [];
      if (of !== null && (of.length === 0 || of.some((each) => !there.some((shown) => shown.of === each))))
        return false;
      to.chosen = of === null ? null : new Set(of);
      return true;
    },
    /** Pages whose announcements are due to be mailed. */
    due: (now: number) =>
      [...mailings].flatMap(([page, { dueAt }]) => (dueAt !== null && dueAt <= now ? [page] : [])),
    waits: (page: Page) => mailings.get(page)?.dueAt !== undefined && mailings.get(page)?.dueAt !== null,
    turns: (): number[] => [
      ...[...mailings.values()].flatMap(({ dueAt }) => dueAt ?? []),
      ...mails.filter(({ to }) => to.alive && isServed(to.page)).map(({ nextAt }) => nextAt),
    ],
    /** The mails that arrive now. */
    send(now: number): Expected[] {
      makeMailings(now);
      mails = mails.filter(({ to }) => to.alive);
      return mails
        .filter((each) => each.nextAt <= now && isServed(each.to.page))
        .flatMap((mail) => {
          if (!mail.to.alive) return [];
          const says = saysOf(mail);
          if (says !== null) {
            mail.attempts += 1;
            if (refused(mail, now)) return [];
          }
          mails = mails.filter((each) => each !== mail);
          if (says === null) return [];
          mail.to.bounces = 0;
          return [{ to: mail.to, says }];
        });
    },
  };
}

/** Kinds each as often as they come, and texts once. */
export function wordsInOrder(words: readonly string[]): string {
  const isText = (word: string) => /^Zq\d+q$/.test(word);
  return [...words.filter((word) => !isText(word)), ...new Set(words.filter(isText))].sort().join(' ');
}
