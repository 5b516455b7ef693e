import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type CheckRecord, getCheck } from '#src/checks/contract.ts';
import { ApiError } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { Phases } from '#web/pages/monitors/detail/Phases.tsx';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Moment } from '#web/ui/Times.tsx';
import styles from './CheckDetail.module.css';
import { ResponseExcerptPanel } from './ResponseExcerptPanel.tsx';

/** Everything known about one check: what failed, its timing, and the target's response. */
export function CheckDetail({ monitorId, checkId }: { monitorId: string; checkId: string }) {
  const { t } = useTranslation();
  // A check never changes; only its stored response is deleted some day.
  const check = useQuery({
    ...read(getCheck, { params: { monitor_id: monitorId, check_id: checkId } }),
    staleTime: 60_000,
  });
  if (check.isPending) return <LoadingRows count={3} height={24} />;
  if (check.isError && check.error instanceof ApiError && check.error.status === 404)
    return <p className={styles.none}>{t('check.gone')}</p>;
  if (check.isError) return <Failure error={check.error} retry={check.refetch} />;
  return <Known check={check.data} />;
}

function Known({ check }: { check: CheckRecord }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  const layer = `layers.${check.cause_layer}`;
  const answer = check.response_excerpt;
  const facts: [string, ReactNode][] = [
    [t('check.time'), <Moment key="time" unix={check.checked_at_unix} />],
    ...(check.region === '' ? [] : [[t('check.region'), check.region] as [string, ReactNode]]),
    ...(check.status === 'up' && check.detail == null
      ? []
      : [[t('check.what'), explain(check) ?? '–'] as [string, ReactNode]]),
    ...(check.cause_layer == null
      ? []
      : [
          [t('check.layer'), i18n.exists(layer) ? t(layer as 'layers.probe') : check.cause_layer] as [
            string,
            ReactNode,
          ],
        ]),
    ...(check.response_code == null ? [] : [[t('check.code'), check.response_code] as [string, ReactNode]]),
    ...(check.metric_value == null
      ? []
      : [[t('check.value'), formats.number(check.metric_value)] as [string, ReactNode]]),
  ];
  return (
    <div className={styles.detail}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {check.timings_ms?.total === undefined ? null : (
        <div className={styles.phases}>
          <Phases timings={check.timings_ms} />
        </div>
      )}
      {check.status === 'down' ? (
        <section className={styles.answer} aria-label={t('answer.title')}>
          <h3 className={styles.title}>{t('answer.title')}</h3>
          {answer == null ? (
            <p className={styles.none}>
              {t(check.response_code == null ? 'answer.noneCame' : 'answer.noneKept')}
            </p>
          ) : (
            <ResponseExcerptPanel answer={answer} />
          )}
        </section>
      ) : null}
    </div>
  );
}
