import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getHeartbeat, type HeartbeatStatus } from '#src/heartbeats/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { HeartbeatConfigRead } from '#src/monitors/types/heartbeat/config.ts';
import { SECRET_MASK } from '#src/monitors/types/parts.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { CopyField } from '#web/ui/CopyField.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Ago, Duration, Moment } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import styles from './HeartbeatPanel.module.css';
import { HeartbeatSnippets } from './HeartbeatSnippets.tsx';

/** Pings come at any time, so this polls often. */
const LOOK_EVERY_MS = 5_000;

/** The last ping, the next expected one, and how the job sends them. */
export function HeartbeatPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const { ping_url: url, schedule } = monitor.config as HeartbeatConfigRead;
  const isShown = url !== SECRET_MASK;
  const status = useQuery({
    ...read(getHeartbeat, { params: { monitor_id: monitor.id } }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const waiting = status.data?.last_beat_at_unix === null && status.data.runs.length === 0;
  return (
    <Panel title={t('heartbeat.title')}>
      <div className={styles.parts}>
        {status.isPending ? <LoadingRows count={2} height={34} /> : null}
        {status.isLoadingError ? <Failure error={status.error} retry={status.refetch} /> : null}
        {status.data === undefined ? null : waiting ? (
          <p className={styles.waiting}>{t('heartbeat.waiting')}</p>
        ) : (
          <Beats status={status.data} />
        )}
        <section>
          <h3 className={styles.title}>{t('heartbeat.url')}</h3>
          {isShown ? <CopyField label={t('heartbeat.url')} value={url} /> : <p>{t('heartbeat.urlHidden')}</p>}
        </section>
        {isShown ? (
          <HeartbeatSnippets url={url} when={schedule.kind === 'cron' ? schedule.expression : '0 3 * * *'} />
        ) : null}
      </div>
    </Panel>
  );
}

function Beats({ status }: { status: HeartbeatStatus }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { last_beat_at_unix: last, due_at_unix: due, late_at_unix: late, last_duration_ms: took } = status;
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>{t('heartbeat.last')}</dt>
          <dd>{last === null ? '–' : <Ago unix={last} />}</dd>
        </div>
        <div>
          <dt>{t(due !== null && due < now ? 'heartbeat.wasDue' : 'heartbeat.due')}</dt>
          <dd>{due === null ? '–' : <Moment unix={due} />}</dd>
        </div>
        <div>
          <dt>{t('heartbeat.late')}</dt>
          <dd>{late === null ? '–' : <Moment unix={late} />}</dd>
        </div>
        <div>
          <dt>{t('heartbeat.took')}</dt>
          <dd>{took === null ? '–' : formats.milliseconds(took)}</dd>
        </div>
      </dl>
      {status.runs.length === 0 ? null : (
        <section>
          <h3 className={styles.title}>{t('heartbeat.running')}</h3>
          <ul className={styles.runs}>
            {status.runs.map(({ rid, started_at_unix: from }) => (
              <li key={`${rid} ${from}`}>
                {rid === '' ? t('heartbeat.unnamedRun') : <span className="mono">{rid}</span>}{' '}
                <span className={styles.quiet}>
                  {t('heartbeat.since')} <Duration from={from} to={null} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {status.next.length === 0 ? null : (
        <section>
          <h3 className={styles.title}>{t('heartbeat.next')}</h3>
          <ol className={styles.next}>
            {status.next.map((unix) => (
              <li key={unix}>
                <Moment unix={unix} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
