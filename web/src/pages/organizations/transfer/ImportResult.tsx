import { useTranslation } from 'react-i18next';
import { type ImportedThing, type ImportReport, THING_KINDS } from '#src/configuration-import/contract.ts';
import { ApiError } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import table from '#web/ui/Table.module.css';
import { leftOutGroups } from './left-out.ts';
import styles from './TransferPage.module.css';

type Props = { report: ImportReport; leftOut: ReadonlyMap<string, number> };

const OUTCOMES = ['made', 'exists', 'refused'] as const;

/** The effect of a file, planned or applied: counts, warnings, and entries that are not imported. */
export function ImportResult({ report, leftOut }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { things, from, preview } = report;
  const rows = THING_KINDS.map((kind) => {
    const ofKind = things.filter((thing) => thing.kind === kind);
    const count = (outcome: ImportedThing['outcome']) =>
      ofKind.filter((thing) => thing.outcome === outcome).length;
    return {
      kind,
      all: ofKind.length,
      counts: OUTCOMES.map((outcome) => ({ outcome, count: count(outcome) })),
    };
  }).filter(({ all }) => all > 0);
  const counts = new Map(leftOut);
  for (const { kind, count } of report.left_out) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const groups = leftOutGroups(counts);
  const name = from ?? '';
  return (
    <>
      <h3 className={styles.heading}>
        {t(preview ? 'transfer.import.preview' : 'transfer.import.done', { name })}
      </h3>
      {rows.length === 0 ? (
        <p>{t('transfer.import.empty')}</p>
      ) : (
        <table className={`${table.table} ${styles.counts}`}>
          <thead>
            <tr>
              <th scope="col">{t('transfer.import.kind')}</th>
              {OUTCOMES.map((outcome) => (
                <th key={outcome} scope="col" className={table.figure}>
                  {t(`transfer.import.${preview ? 'will' : 'did'}.${outcome}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, counts: ofKind }) => (
              <tr key={kind}>
                <th scope="row">{t(`transfer.kinds.${kind}`)}</th>
                {ofKind.map(({ outcome, count }) => (
                  <td key={outcome} className={table.figure} data-zero={count === 0 || undefined}>
                    {formats.integer(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Things
        title={t(preview ? 'transfer.import.refused' : 'transfer.import.wereRefused')}
        things={things.filter(({ outcome }) => outcome === 'refused')}
      />
      <Things
        title={t('transfer.import.differ')}
        things={things.filter(({ outcome, notes }) => outcome === 'made' && notes.length > 0)}
      />
      {groups.length === 0 ? null : (
        <div>
          <h4 className={styles.heading}>{t('transfer.import.leftOut')}</h4>
          <p className={styles.text}>
            {t('transfer.leftOut.all', {
              things: formats.list(
                groups.map(([group, count]) =>
                  t(`transfer.leftOut.${group}`, { count, shown: formats.integer(count) }),
                ),
              ),
            })}
          </p>
        </div>
      )}
    </>
  );
}

/** The maximum listed: more of them have one cause. */
const MAX_LISTED = 50;

function Things({ title, things }: { title: string; things: readonly ImportedThing[] }) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  if (things.length === 0) return null;
  const said = ({ refusal, notes }: ImportedThing) =>
    refusal === null
      ? notes.map((note) => t(`transfer.notes.${note}`)).join(' ')
      : sentence(new ApiError(400, refusal));
  return (
    <div>
      <h4 className={styles.heading}>{title}</h4>
      <ul className={styles.things}>
        {things.slice(0, MAX_LISTED).map((thing, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={i}>
            <span className={styles.name}>{thing.name ?? t(`transfer.kinds.${thing.kind}`)}</span>
            <span className={styles.said}>{said(thing)}</span>
          </li>
        ))}
      </ul>
      {things.length > MAX_LISTED ? (
        <p className={styles.quiet}>{t('transfer.import.more', { count: things.length - MAX_LISTED })}</p>
      ) : null}
    </div>
  );
}
