import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listIncidentTimeline } from '../../../../src/incidents/contract.ts';
import { useFormats } from '../../format.ts';
import { read } from '../../read.ts';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Moment } from '../../ui/Times.tsx';
import styles from './Timeline.module.css';

/** Everything that happened since, oldest first. */
export function Timeline({ orgId, incidentId }: { orgId: string; incidentId: string }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const timeline = useQuery(
    read(listIncidentTimeline, { params: { org_id: orgId, incident_id: incidentId } }),
  );
  const word = (kind: string) => {
    const key = `timeline.${kind}`;
    return i18n.exists(key) ? t(key as 'timeline.opened') : kind.replaceAll('_', ' ');
  };
  return (
    <Panel title={t('timeline.title')}>
      {timeline.isPending ? <LoadingRows count={3} /> : null}
      {timeline.isError ? <Failure error={timeline.error} retry={timeline.refetch} /> : null}
      <ol className={styles.list}>
        {timeline.data?.map((entry) => (
          <li
            key={`${entry.at_unix}${entry.kind}${entry.detail}`}
            className={styles.entry}
            title={formats.full(entry.at_unix)}
          >
            <span className={styles.what}>
              {word(entry.kind)}
              {entry.actor_name == null ? null : <span className={styles.who}> · {entry.actor_name}</span>}
            </span>
            <span className={styles.when}>
              <Moment unix={entry.at_unix} />
            </span>
            {entry.detail === null ? null : <span className={styles.detail}>{entry.detail}</span>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
