import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getPostmortem } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './Postmortem.module.css';
import { usePostmortemPublished } from './use-postmortem-published.ts';

/** The link to the post-mortem. It is only fetched once it is published: before, there may be none. */
export function PostmortemPanel({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayAct = useMayAct();
  const params = { org_id: orgId, incident_id: incident.id };
  const isPublished = usePostmortemPublished(params);
  const postmortem = useQuery({ ...read(getPostmortem, { params }), enabled: isPublished });
  const published = postmortem.data?.published_at_unix ?? null;
  return (
    <Panel title={t('postmortem.title')}>
      <div className={styles.panel}>
        <div className={styles.panelWords}>
          {postmortem.data === undefined || published === null ? (
            <p className={styles.quiet}>
              {t(incident.status === 'open' ? 'postmortem.panelEarly' : 'postmortem.panelNone')}
            </p>
          ) : (
            <>
              <p className={styles.panelTitle}>{postmortem.data.title || t('postmortem.title')}</p>
              <p className={styles.quiet}>
                {t('postmortem.publishedAt', { time: formats.moment(published) })}
                {' · '}
                {t(`postmortem.visibility.${postmortem.data.visibility as 'internal' | 'public'}`)}
              </p>
            </>
          )}
        </div>
        {mayAct || isPublished ? (
          <Button
            variant="default"
            leftSection={<IconFileText size={17} />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/o/$orgId/incidents/$incidentId/postmortem"
                params={{ orgId, incidentId: incident.id }}
              />
            )}
          >
            {t(isPublished ? 'postmortem.open' : 'postmortem.write')}
          </Button>
        ) : null}
      </div>
    </Panel>
  );
}
