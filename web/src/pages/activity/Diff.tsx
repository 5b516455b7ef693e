import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';
import styles from './Diff.module.css';

type Props = { before: unknown; after: unknown };
const isUnset = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
const isThere = (state: unknown) => state !== null && state !== undefined;

/** The fields that changed, before and after; one column if the resource was created or deleted. Secrets arrive masked. */
export function Diff({ before, after }: Props) {
  const { t } = useTranslation();
  const both = isThere(before) && isThere(after);
  // A created or deleted resource has many unset fields, which say nothing.
  const fields = changedFields(before, after).filter(
    (field) => both || !(isUnset(field.before) && isUnset(field.after)),
  );
  if (fields.length === 0) return <p className={styles.none}>{t('activity.nothingShown')}</p>;
  const title = both ? 'activity.changed' : isThere(after) ? 'activity.set' : 'activity.lost';
  return (
    <div className={styles.wrap}>
      <table className={styles.diff}>
        <caption className={styles.title}>{t(title)}</caption>
        <thead className={both ? undefined : 'visually-hidden'}>
          <tr>
            <th scope="col">{t('activity.field')}</th>
            {isThere(before) ? <th scope="col">{t('activity.before')}</th> : null}
            {isThere(after) ? <th scope="col">{t('activity.after')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <Row key={field.path} field={field} shows={{ before: isThere(before), after: isThere(after) }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ field, shows }: { field: ChangedField; shows: { before: boolean; after: boolean } }) {
  const { t } = useTranslation();
  const both = shows.before && shows.after;
  return (
    <tr>
      <th scope="row" className={`mono ${styles.path}`}>
        {field.path}
      </th>
      {shows.before ? (
        <td data-label={both ? t('activity.before') : undefined}>
          <Value path={field.path} value={field.before} kind={both ? 'before' : 'only'} />
        </td>
      ) : null}
      {shows.after ? (
        <td data-label={both ? t('activity.after') : undefined}>
          <Value path={field.path} value={field.after} kind={both ? 'after' : 'only'} />
        </td>
      ) : null}
    </tr>
  );
}

type ValueProps = { path: string; value: unknown; kind: 'before' | 'after' | 'only' };

function Value({ path, value, kind }: ValueProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const quiet = (words: string) => <span className={styles.quiet}>{words}</span>;
  if (value === null || value === undefined) return quiet(t('activity.nothing'));
  if (value === '' || (Array.isArray(value) && value.length === 0)) return quiet(t('activity.empty'));
  const isMoment = path.endsWith('_unix') && typeof value === 'number';
  return (
    <span className={styles.value} data-kind={kind} title={isMoment ? String(value) : undefined}>
      {isMoment
        ? formats.dateAndTime(value)
        : wordsOf(value, { true: t('activity.yes'), false: t('activity.no') })}
    </span>
  );
}

function wordsOf(value: unknown, answers: Record<'true' | 'false', string>): string {
  if (typeof value === 'boolean') return answers[`${value}`];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return isPlain ? value.join(', ') : JSON.stringify(value, null, 1);
}
