import { useTranslation } from 'react-i18next';
import type { MonitorTestReport } from '#src/check-now/contract.ts';
import { useFormats } from '#web/format.ts';
import { CheckStatusWord } from '#web/ui/CheckStatusWord.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { Phases } from '../detail/Phases.tsx';
import { AssertionResults } from './AssertionResults.tsx';
import styles from './TestNow.module.css';

/** The result first, then the reasons: the phases and every assertion. */
export function TestReport({ report, regionName }: { report: MonitorTestReport; regionName: string }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  const why = report.status === 'up' ? (report.detail ?? null) : explain(report);
  const layer = `layers.${report.cause_layer}`;
  const facts = [
    report.latency_ms === undefined ? null : formats.milliseconds(report.latency_ms),
    report.response_code === undefined ? null : t('tryout.code', { code: report.response_code }),
    report.metric_value === undefined
      ? null
      : t('tryout.measured', { value: formats.number(report.metric_value) }),
  ].filter((fact) => fact !== null);
  return (
    <div className={styles.report}>
      <div className={styles.verdict} data-status={report.cause_layer === 'probe' ? 'none' : report.status}>
        <span className={styles.word}>
          <CheckStatusWord status={report.status} causeLayer={report.cause_layer} />
        </span>
        {facts.length === 0 ? null : <span className={styles.facts}>{facts.join(' · ')}</span>}
        {why === null ? null : <p className={styles.why}>{why}</p>}
        {report.cause_layer !== undefined && i18n.exists(layer) ? (
          <p className={styles.layer}>{t('tryout.layer', { layer: t(layer as 'layers.target_dns') })}</p>
        ) : null}
      </div>
      {report.judgements.length === 0 ? null : (
        <section>
          <h3 className={styles.title}>{t('tryout.judgements')}</h3>
          {report.values_withheld ? <p className={styles.origin}>{t('tryout.withheld')}</p> : null}
          <AssertionResults judgements={report.judgements} />
        </section>
      )}
      {report.timings_ms?.total === undefined ? null : (
        <section>
          <h3 className={styles.title}>{t('tryout.phases')}</h3>
          <Phases timings={report.timings_ms} />
        </section>
      )}
      <p className={styles.origin}>{t('tryout.origin', { region: regionName, probe: report.probe_id })}</p>
    </div>
  );
}
