import { useTranslation } from 'react-i18next';
import type { MonitorTestReport } from '#src/check-now/contract.ts';
import { useCheckWords } from '#web/i18n/check-words.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './AssertionResults.module.css';
import { judgedWords } from './judged-words.ts';

/** All assertions on the check: expected and actual value. */
export function AssertionResults({ judgements }: { judgements: MonitorTestReport['judgements'] }) {
  const { t, i18n } = useTranslation();
  const expectedWords = useCheckWords('expected');
  const detailWords = useCheckWords('detail');
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('tryout.what')}</th>
          <th scope="col">{t('tryout.expected')}</th>
          <th scope="col">{t('tryout.actual')}</th>
        </tr>
      </thead>
      <tbody>
        {judgements.map(({ what, expected, actual, ok }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a finished report does not change
          <tr key={at} data-ok={ok}>
            <th scope="row">
              <span className={styles.what}>
                <StatusGlyph state={ok ? 'passed' : 'failed'} />
                <span className="visually-hidden">{t(ok ? 'tryout.ok' : 'tryout.notOk')}</span>
                {judgedWords(t, i18n, what)}
              </span>
            </th>
            <td data-label={t('tryout.expected')}>{expectedWords(expected)}</td>
            <td data-label={t('tryout.actual')} className={styles.actual}>
              {actual === '' ? '–' : detailWords(actual)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
