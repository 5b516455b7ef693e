// Mails the operator about the installation itself, bypassing the queues, which may be the trouble: one mail for everything
// that begins or ends at the same moment, and at most one pair of mails in ten minutes per subject.
import { sql } from 'kysely';
import type { PageLanguage } from '../domain/names.ts';
import { utcMinute } from '../domain/utc.ts';
import type { Log } from '../platform/log.ts';
import { type Link, layout } from '../platform/mail/layout.ts';
import type { Mail } from '../platform/mail/mail.ts';
import { filled } from '../platform/page-language.ts';
import type { Database } from '../platform/work.ts';
import type { Trouble } from './troubles.ts';
import { overTitle, troubleSentence, troubleTitle } from './words.ts';

export type NotifyOperatorOptions = {
  db: Database;
  clock: () => Date;
  /** null: no mail server is configured, so only the dashboard shows troubles. */
  mail: Mail | null;
  baseUrl: string;
  log: Log;
};

const NOT_AGAIN_MS = 10 * 60_000;
/** Longer than mail takes to be accepted or to fail; then another turn tries again. */
const LEASE_MS = 30_000;

/** Mails begun and ended troubles that have not been mailed. A mail that is not accepted is retried every 30 s. */
export async function notifyOperator({
  db,
  clock,
  mail,
  baseUrl,
  log,
}: NotifyOperatorOptions): Promise<void> {
  if (mail === null) return;
  const claimed = await claim(db, clock());
  if (claimed.length === 0) return;
  const { rows: people } = await sql<{ email: string; language: PageLanguage }>`
    SELECT email, coalesce(language, 'en') AS language FROM users WHERE operator`.execute(db);
  const outcomes = await Promise.allSettled(
    people.map(({ email, language }) => mail.send({ to: email, ...mailOf(claimed, baseUrl, language) })),
  );
  if (outcomes.some(({ status }) => status === 'fulfilled')) return markNotified(db, clock(), claimed);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      log.warn(
        { failure_class: outcome.reason?.failureClass },
        'the operator could not be mailed; trying again',
      );
}

async function claim(db: Database, now: Date): Promise<Trouble[]> {
  const { rows } = await sql<Trouble>`
    UPDATE troubles t SET sending_until = ${new Date(now.getTime() + LEASE_MS)}
    WHERE t.kind <> 'no_data' AND (t.sending_until IS NULL OR t.sending_until <= ${now}) AND (
      (t.ended_at IS NULL AND t.notified_at IS NULL AND NOT EXISTS (SELECT FROM troubles e
        WHERE e.kind = t.kind AND e.subject = t.subject AND e.notified_at > ${new Date(now.getTime() - NOT_AGAIN_MS)}))
      OR (t.ended_at IS NOT NULL AND t.notified_at IS NOT NULL AND t.end_notified_at IS NULL))
    RETURNING no, kind, subject, data, began_at, ended_at`.execute(db);
  return rows.sort((a, b) => a.no - b.no);
}

async function markNotified(db: Database, now: Date, notified: readonly Trouble[]): Promise<void> {
  const nos = (over: boolean) =>
    notified.filter((each) => (each.ended_at !== null) === over).map(({ no }) => String(no));
  await sql`UPDATE troubles SET sending_until = NULL,
      notified_at = coalesce(notified_at, ${now}),
      end_notified_at = CASE WHEN no = ANY(${nos(true)}::bigint[]) THEN ${now}::timestamptz ELSE end_notified_at END
    WHERE no = ANY(${[...nos(true), ...nos(false)]}::bigint[])`.execute(db);
}

const en = {
  many: '{count} changes of this installation',
  examine: 'Examine the installation',
  regions: 'Open the regions',
  why: 'You get this because you operate this installation of Tocsin.',
  since: 'Since {from}.',
  lasted: 'It lasted from {from} to {to}.',
};

const de: typeof en = {
  many: '{count} Änderungen an dieser Installation',
  examine: 'Installation untersuchen',
  regions: 'Regionen öffnen',
  why: 'Sie erhalten diese Mail, weil Sie diese Installation von Tocsin betreiben.',
  since: 'Seit {from}.',
  lasted: 'Es dauerte von {from} bis {to}.',
};

const WORDS: Readonly<Record<PageLanguage, typeof en>> = { en, de };

/** Subject and both bodies of a mail about these troubles. */
export function mailOf(
  troubles: readonly Trouble[],
  baseUrl: string,
  language: PageLanguage,
): { subject: string; html: string; text: string } {
  const words = WORDS[language];
  const title = (each: Trouble) =>
    each.ended_at === null ? troubleTitle(each, language) : overTitle(each, language);
  const [first] = troubles;
  const isOne = troubles.length === 1 && first !== undefined;
  const heading = isOne ? title(first) : filled(words.many, { count: troubles.length });
  const button: Link = troubles.every(({ kind }) => kind === 'edge_failing')
    ? { label: words.examine, url: `${baseUrl}/app/operator/doctor` }
    : { label: words.regions, url: `${baseUrl}/app/operator/regions` };
  return {
    subject: `[Tocsin] ${heading}`,
    ...layout({
      language,
      title: heading,
      paragraphs: isOne ? [lineOf(first, language)] : [],
      items: isOne ? [] : troubles.map((each) => `${title(each)}. ${lineOf(each, language)}`),
      button,
      smallPrint: [words.why],
    }),
  };
}

function lineOf(each: Trouble, language: PageLanguage): string {
  const words = WORDS[language];
  const from = utcMinute(each.began_at.getTime());
  return each.ended_at === null
    ? `${filled(words.since, { from })} ${troubleSentence(each, language)}`
    : filled(words.lasted, { from, to: utcMinute(each.ended_at.getTime()) });
}
