// The form of the `heartbeat` type. It keeps both kinds of schedule, so that switching back and forth loses nothing.
import { cronProblem as cronSentence } from '#src/domain/cron.ts';
import { HeartbeatConfig } from '#src/monitors/types/heartbeat/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { durationProblem, NEEDED } from '#web/pages/monitors/form/checks.ts';
import { type Problem, typeForm } from '../type-form.ts';

const LONGEST = 31_622_400;

export type HeartbeatValues = {
  schedule: { kind: 'period' | 'cron'; period_seconds: Amount; expression: string; timezone: string };
  grace_seconds: Amount;
  max_runtime_seconds: Amount;
};

/** Why a crontab line is invalid; null if it is valid. Five fields, as in cron itself. */
export function cronProblem(expression: string): Problem | null {
  if (expression.trim() === '') return { key: NEEDED };
  if (expression.trim().split(/\s+/).length !== 5) return { key: 'problems.cronFields' };
  const said = cronSentence(expression);
  if (said === null) return null;
  return { key: said === 'never comes' ? 'problems.cronNever' : 'problems.cron' };
}

/** The reader's time zone: the crontab usually runs in it. */
const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Both kinds of schedule with their defaults. */
const SCHEDULE = {
  kind: 'period',
  period_seconds: 86_400,
  expression: '0 3 * * *',
  timezone: ownZone(),
} as const;

export const form = typeForm<HeartbeatValues, HeartbeatConfig>({
  type: 'heartbeat',
  schema: HeartbeatConfig,
  start: { schedule: SCHEDULE },
  read: ({ schedule, grace_seconds, max_runtime_seconds }) => ({
    schedule: { ...SCHEDULE, ...schedule },
    grace_seconds,
    max_runtime_seconds: orEmpty(max_runtime_seconds),
  }),
  write: ({ schedule, grace_seconds, max_runtime_seconds }) => ({
    schedule:
      schedule.kind === 'period'
        ? { kind: 'period', period_seconds: orNull(schedule.period_seconds) }
        : { kind: 'cron', expression: schedule.expression.trim(), timezone: schedule.timezone },
    grace_seconds,
    max_runtime_seconds: orNull(max_runtime_seconds),
  }),
  problems: ({ schedule, grace_seconds, max_runtime_seconds }) => ({
    'schedule.period_seconds':
      schedule.kind === 'period'
        ? durationProblem(schedule.period_seconds, 1, LONGEST, { needed: true })
        : null,
    'schedule.expression': schedule.kind === 'cron' ? cronProblem(schedule.expression) : null,
    grace_seconds: durationProblem(grace_seconds, 0, LONGEST, { needed: true }),
    max_runtime_seconds: durationProblem(max_runtime_seconds, 1, LONGEST),
  }),
  sections: [
    {
      id: 'runs',
      fields: ['max_runtime_seconds'],
      title: (t) => t('fields.heartbeat.runs'),
      summary: (t, formats, values) =>
        values.max_runtime_seconds === ''
          ? t('fields.heartbeat.anyRuntime')
          : t('fields.heartbeat.runtimeAtMost', {
              duration: formats.durationInWords(values.max_runtime_seconds),
            }),
    },
  ],
  aliases: { schedule: 'schedule.expression' },
});
