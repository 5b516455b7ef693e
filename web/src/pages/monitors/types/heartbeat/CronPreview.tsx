import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import styles from './CronPreview.module.css';
import { cronWords } from './cron-words.ts';
import { cronProblem } from './form.ts';
import { nextRuns } from './next-runs.ts';

/** `isRefused`: the field itself says what is wrong. */
type Props = { expression: string; timezone: string; isRefused: boolean };

/** A crontab line in words with its next run; if it is invalid, the reason, which is said once. */
export function CronPreview({ expression, timezone, isRefused }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const problem = cronProblem(expression);
  if (expression.trim() === '' || isRefused) return null;
  if (problem !== null)
    return (
      <p className={styles.preview} data-wrong aria-live="polite">
        {t(problem.key as 'problems.cron')}
      </p>
    );
  return (
    <div className={styles.preview} aria-live="polite">
      <p className={styles.words}>{cronWords(expression, formats.language)}</p>
      <p className={styles.title}>{t('fields.heartbeat.nextRuns', { timezone })}</p>
      <ol className={styles.runs}>
        {nextRuns(expression, timezone, 5, now).map((unix) => (
          <li key={unix}>{formats.inZone(unix, timezone)}</li>
        ))}
      </ol>
    </div>
  );
}
