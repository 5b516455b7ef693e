import { IconEyeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { classOfCannotCheck } from '#src/domain/cannot-check.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { type DisplayState, displayState } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import styles from './NoData.module.css';

/** `since 06:42` beside the words "No data"; nothing in any other state. */
export function SinceNoData({ monitor, state }: { monitor: Monitor; state: DisplayState }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const since = monitor.no_data_since_unix;
  if (since === null || state !== 'no_data') return null;
  return (
    <span className={styles.since} title={formats.full(since)}>
      {' '}
      {t('noData.since', { moment: formats.minute(since) })}
    </span>
  );
}

/** Why a check cannot be made and what to do, translated if the reason is known. */
export function useCannotCheck(): (sentence: string) => string {
  const { t, i18n } = useTranslation();
  return (sentence) => {
    const key = `cannotCheck.${classOfCannotCheck(sentence)}`;
    return i18n.exists(key) ? t(key as 'cannotCheck.ping_unavailable') : sentence;
  };
}

/** A notice that the monitor has no data, why, and what to do; nothing otherwise. */
export function NoDataNotice({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const inWords = useCannotCheck();
  const state = displayState(monitor, useNow());
  const since = monitor.no_data_since_unix;
  if (since === null || (state !== 'no_data' && state !== 'cannot_check')) return null;
  return (
    <section className={styles.notice} data-state={state} aria-labelledby="no-data">
      <IconEyeOff size={20} stroke={1.7} aria-hidden="true" />
      <div>
        <h2 id="no-data" className={styles.title}>
          {state === 'cannot_check'
            ? t('noData.cannotCheck')
            : t('noData.title', { moment: formats.minute(since) })}
        </h2>
        <p>{monitor.cannot_check === null ? t('noData.text') : inWords(monitor.cannot_check)}</p>
      </div>
    </section>
  );
}
