import { useTranslation } from 'react-i18next';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { Duration, Moment } from '#web/ui/Times.tsx';
import styles from './Postmortem.module.css';

type Props = { incident: IncidentDetail; postmortem: Postmortem | null };

/** Draft or published, to whom; when the incident happened and how long it lasted. */
export function PostmortemState({ incident, postmortem }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const published = postmortem?.published_at_unix ?? null;
  return (
    <p className={styles.state}>
      <span className={styles.badge} data-published={published !== null || undefined}>
        {t(published === null ? 'postmortem.status.draft' : 'postmortem.status.published')}
      </span>
      {published === null ? null : (
        <span>
          {formats.moment(published)} ·{' '}
          {t(`postmortem.visibility.${postmortem?.visibility === 'public' ? 'public' : 'internal'}`)}
        </span>
      )}
      <span>
        {t('postmortem.incident')} <Moment unix={incident.started_at_unix} /> ·{' '}
        <Duration from={incident.started_at_unix} to={incident.resolved_at_unix} />
      </span>
    </p>
  );
}
