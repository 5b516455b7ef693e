// Mails the operator about the installation itself, bypassing the queues, which may be the trouble: one mail for everything
// that begins or ends at the same moment, and at most one pair of mails in ten minutes per subject. Each operator is mailed.
import { sql } from 'kysely';
import { outlastsAttempt } from '../domain/attempt-time.ts';
import { DAY_MS } from '../domain/durations.ts';
import type { PageLanguage } from '../domain/names.ts';
import { utcMinute } from '../domain/utc.ts';
import { recordPatiently } from '../platform/db/record-patiently.ts';
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

/** `notified`: other operators have this change. `unmailed`: those whose mail about it, or about the beginning, was refused. */
type Claimed = Trouble & { notified: boolean; unmailed: string[] };
type Operator = { id: string; email: string; language: PageLanguage };
type Outcome = { operator: Operator; accepted: boolean };

/**
 * Mails begun and ended troubles to every operator who has not been mailed. A mail that is not accepted is retried every 30 s; once
 * another operator's was, for a day.
 */
export async function notifyOperator(
  { db, clock, mail, baseUrl, log }: NotifyOperatorOptions,
  isStopped: () => boolean = () => false,
): Promise<void> {
  if (mail === null) return;
  const from = clock();
  const leasedUntil = new Date(from.getTime() + LEASE_MS);
  const claimed = await claim(db, from, leasedUntil);
  if (claimed.length === 0) return;
  const { rows: operators } = await sql<Operator>`
    SELECT id, email, coalesce(language, 'en') AS language FROM users WHERE operator`.execute(db);
  // Another server could mail them, too: a later turn does.
  if (!outlastsAttempt(leasedUntil, clock())) return;
  const outcomes = await Promise.all(
    operators.map(async (operator): Promise<Outcome> => {
      const own = claimed.filter((trouble) => isFor(trouble, operator));
      if (own.length === 0) return { operator, accepted: true };
      const { email, language } = operator;
      try {
        await mail.send({ to: email, ...mailOf(own, baseUrl, language) });
        return { operator, accepted: true };
      } catch (err) {
        const { failureClass } = err as { failureClass?: string };
        log.warn({ failure_class: failureClass }, 'an operator could not be mailed; trying again');
        return { operator, accepted: false };
      }
    }),
  );
  const now = clock();
  await recordPatiently(() => markNotified(db, now, claimed, outcomes), isStopped);
}

/** The first mails about a change go to everybody, but the end to nobody who was not mailed the beginning. */
function isFor({ notified, ended_at, unmailed }: Claimed, { id }: Operator): boolean {
  if (notified) return unmailed.includes(id);
  return ended_at === null || !unmailed.includes(id);
}

async function claim(db: Database, now: Date, leasedUntil: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    UPDATE troubles t SET sending_until = ${leasedUntil}
    WHERE t.kind <> 'no_data' AND (t.sending_until IS NULL OR t.sending_until <= ${now}) AND (
      (t.ended_at IS NULL AND t.notified_at IS NULL AND NOT EXISTS (SELECT FROM troubles e
        WHERE e.kind = t.kind AND e.subject = t.subject AND e.notified_at > ${new Date(now.getTime() - NOT_AGAIN_MS)}))
      OR (t.ended_at IS NOT NULL AND t.notified_at IS NOT NULL AND t.end_notified_at IS NULL)
      OR (t.unmailed <> '{}' AND CASE WHEN t.ended_at IS NULL THEN t.notified_at ELSE t.end_notified_at END
        > ${new Date(now.getTime() - DAY_MS)}))
    RETURNING no, kind, subject, data, began_at, ended_at, unmailed,
      CASE WHEN ended_at IS NULL THEN notified_at ELSE end_notified_at END IS NOT NULL AS notified`.execute(
    db,
  );
  return rows.sort((a, b) => a.no - b.no);
}

/** Records who is still to be mailed of each trouble. One that nobody was mailed about stays as it is, and is tried again. */
async function markNotified(
  db: Database,
  now: Date,
  claimed: readonly Claimed[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const notified = claimed.flatMap((trouble) => {
    const own = outcomes.filter(({ operator }) => isFor(trouble, operator));
    const refused = own.filter(({ accepted }) => !accepted).map(({ operator }) => operator.id);
    const hasFailed = outcomes.length === 0 || (refused.length > 0 && refused.length === own.length);
    return hasFailed ? [] : [{ no: trouble.no, over: trouble.ended_at !== null, refused }];
  });
  if (notified.length === 0) return;
  // Nobody is mailed the end of a trouble that was gone meanwhile.
  await sql`UPDATE troubles t SET sending_until = CASE WHEN x.refused <> '{}' THEN t.sending_until END,
      notified_at = coalesce(t.notified_at, ${now}),
      end_notified_at = CASE WHEN x.over THEN coalesce(t.end_notified_at, ${now}) ELSE t.end_notified_at END,
      unmailed = CASE WHEN x.over OR t.end_notified_at IS NULL THEN x.refused ELSE '{}' END
    FROM jsonb_to_recordset(${JSON.stringify(notified)}::jsonb) AS x (no bigint, over boolean, refused text[])
    WHERE t.no = x.no`.execute(db);
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
