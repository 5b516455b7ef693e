import { useTranslation } from 'react-i18next';
import type { Evidence } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { useCheckWords } from '#web/i18n/check-words.ts';
import { ExpandableCheck } from '#web/pages/checks/ExpandableCheck.tsx';
import { CheckStatusWord } from '#web/ui/CheckStatusWord.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import styles from './EvidenceChecks.module.css';

/** The deciding checks, as stored with the incident. */
export function EvidenceChecks({ checks, monitorId }: { checks: Evidence['checks']; monitorId: string }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const detailWords = useCheckWords('detail');
  if (checks.length === 0) return null;
  const layer = (name: string) => {
    const key = `layers.${name}`;
    return i18n.exists(key) ? t(key as 'layers.target_app') : name;
  };
  return (
    <Panel title={t('story.checks')} flush>
      <table className={`${table.table} ${styles.dense}`}>
        <thead>
          <tr>
            <th scope="col">{t('check.time')}</th>
            <th scope="col" className={styles.wide}>
              {t('check.region')}
            </th>
            <th scope="col">{t('check.result')}</th>
            <th scope="col" className={styles.wide}>
              {t('check.layer')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('check.what')}
            </th>
            <th scope="col" className={table.figure}>
              {t('check.latency')}
            </th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => {
            const code = check.response_code === null ? '' : `HTTP ${check.response_code}`;
            const what = check.detail === null ? code : detailWords(check.detail);
            return (
              <ExpandableCheck
                key={check.check_id}
                monitorId={monitorId}
                checkId={check.check_id}
                columns={6}
                time={
                  <>
                    {formats.clock(check.checked_at_unix)}
                    <span className={styles.narrow}>{check.region}</span>
                  </>
                }
              >
                <td className={`${styles.wide} ${table.nowrap}`}>{check.region}</td>
                <td>
                  <CheckStatusWord status={check.status} causeLayer={check.cause_layer} />
                  <span className={styles.narrow}>{what}</span>
                </td>
                <td className={`${styles.wide} ${table.quiet}`}>
                  {check.cause_layer === null ? '' : layer(check.cause_layer)}
                </td>
                <td className={`${styles.wide} ${table.quiet}`}>{what}</td>
                <td className={table.figure}>
                  {check.latency_ms === null ? '–' : formats.milliseconds(check.latency_ms)}
                </td>
              </ExpandableCheck>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
