import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listRegionStatuses } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { everyWords } from '#web/every-words.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { type DisplayState, displayState, StatusWord } from '#web/ui/StatusGlyph.tsx';
import { Duration } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { Tags } from '../all/Tags.tsx';
import { InMaintenance } from '../InMaintenance.tsx';
import { isMonitorType, isRegionless } from '../monitor-types.ts';
import { SinceNoData } from '../NoData.tsx';
import { linkOf, targetOf } from '../types.ts';
import { HostLink } from './HostLink.tsx';
import { MonitorActions } from './MonitorActions.tsx';
import styles from './MonitorHead.module.css';

/** The status and its start, the target, and the actions. */
export function MonitorHead({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const state = useHeadState(monitor);
  const url = linkOf(monitor);
  const target = targetOf(monitor, t, formats);
  const type = isMonitorType(monitor.type) ? t(`types.${monitor.type}.name`) : monitor.type;
  return (
    <PageHead
      title={monitor.name}
      above={
        <BackLink to="/o/$orgId/monitors" params={{ orgId }}>
          {t('monitors.title')}
        </BackLink>
      }
      below={
        <div className={styles.facts}>
          <span className={styles.status} aria-live="polite">
            <StatusWord monitor={monitor} state={state} size={14} />
            {state === 'no_data' ? <SinceNoData monitor={monitor} state={state} /> : null}
            {state === 'no_data' || state === 'cannot_check' ? null : <Since monitor={monitor} />}
          </span>
          <InMaintenance monitor={monitor} />
          <HostLink monitor={monitor} />
          <Tags tags={monitor.tags} />
          {url === null ? (
            <span className={`mono ${styles.url}`}>{target}</span>
          ) : (
            <a className={`mono ${styles.url}`} href={url} target="_blank" rel="noreferrer">
              {target}
            </a>
          )}
          <span>
            {isRegionless(monitor.type)
              ? type
              : t('monitor.rhythm', {
                  type,
                  every: everyWords(t, formats, monitor.interval_seconds),
                  regions: formats.list(monitor.regions),
                })}
          </span>
        </div>
      }
    >
      {monitor.example ? null : mayManage ? <MonitorActions monitor={monitor} /> : <ReadOnly />}
    </PageHead>
  );
}

/** The status to show: if the monitor waits for its first result and a region cannot check it, there is no data. */
function useHeadState(monitor: Monitor): DisplayState {
  const state = displayState(monitor, useNow());
  const statuses = useQuery({
    ...read(listRegionStatuses, { params: { monitor_id: monitor.id } }),
    enabled: state === 'pending' && !isRegionless(monitor.type),
  });
  const isUnknown = statuses.data?.some(({ last_check }) => last_check?.cause_layer === 'probe') ?? false;
  return state === 'pending' && isUnknown ? 'no_data' : state;
}

/** The start of the confirmed status. */
function Since({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const from = monitor.last_status_since_unix;
  if (from === null || !monitor.enabled) return null;
  return (
    <span className={styles.since} title={formats.full(from)}>
      {t('monitor.for')} <Duration from={from} to={null} />
    </span>
  );
}
