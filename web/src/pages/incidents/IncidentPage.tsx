import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getIncident, type IncidentDetail, type IncidentWithCapsule } from '#src/incidents/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { isMissing } from '#web/missing.ts';
import { read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ExampleNotice } from '../examples/ExampleNotice.tsx';
import { DiscardedBanner, HeldBanner } from './actions/Banners.tsx';
import { IncidentActions } from './actions/IncidentActions.tsx';
import { ReasonDialog } from './actions/ReasonDialog.tsx';
import { useIncidentStep } from './actions/use-incident-step.ts';
import { CapsulePanel } from './evidence/CapsulePanel.tsx';
import { EvidenceChecks } from './evidence/EvidenceChecks.tsx';
import { EvidenceSteps } from './evidence/EvidenceSteps.tsx';
import { IncidentFacts } from './IncidentFacts.tsx';
import styles from './IncidentPage.module.css';
import { PageLinks } from './PageLinks.tsx';
import { PostmortemPanel } from './postmortem/PostmortemPanel.tsx';
import { Timeline } from './timeline/Timeline.tsx';
import { useCauseWords } from './use-cause-words.ts';
import { usePageLinks } from './use-page-links.ts';

const GATHERING_MS = 10_000;

export default function IncidentPage() {
  const { t } = useTranslation();
  const { orgId, incidentId } = useParams({ from: '/signed-in/o/$orgId/incidents/$incidentId' });
  const params = { org_id: orgId, incident_id: incidentId };
  const incident = useQuery({
    ...read(getIncident, { params }),
    // No event announces that a region did not answer.
    refetchInterval: ({ state }) =>
      state.data?.capsule_regions.some((region) => region.state === 'gathering') ? GATHERING_MS : false,
  });
  const { pages, links } = usePageLinks(orgId, incidentId);
  if (incident.data === undefined || isMissing(incident.error) || isFirstRead(pages, links))
    return (
      <PagePlaceholder
        query={incident}
        title={t('incidents.what')}
        gone={t('incidents.gone')}
        back={
          <BackLink to="/o/$orgId/incidents" params={{ orgId }}>
            {t('incidents.title')}
          </BackLink>
        }
      />
    );
  return <Loaded orgId={orgId} incident={incident.data} />;
}

function Loaded({ orgId, incident }: { orgId: string; incident: IncidentWithCapsule }) {
  const { t } = useTranslation();
  const mayManage = useMayManage();
  const words = useCauseWords();
  const steps = useIncidentStep(orgId, incident);
  const [asking, setAsking] = useState<'discard' | 'restore' | null>(null);
  const isDiscarded = incident.lifecycle_state === 'discarded';
  // Without a monitor the title already is the cause.
  const below =
    incident.monitor_name === null
      ? null
      : incident.evidence === null
        ? incident.cause
        : words(incident.evidence.actual_summary || incident.cause);
  return (
    <>
      <PageHead
        title={incident.monitor_name ?? incident.cause}
        above={
          <BackLink to="/o/$orgId/incidents" params={{ orgId }}>
            {t('incidents.title')}
          </BackLink>
        }
        below={below === null ? undefined : <p className={styles.summary}>{below}</p>}
      >
        <IncidentActions
          orgId={orgId}
          incident={incident}
          steps={steps}
          onDiscard={() => setAsking('discard')}
        />
      </PageHead>
      {incident.example ? <ExampleNotice orgId={orgId} /> : null}
      <HeldBanner incident={incident} steps={steps} />
      {isDiscarded ? <DiscardedBanner onRestore={mayManage ? () => setAsking('restore') : null} /> : null}
      <IncidentFacts orgId={orgId} incident={incident} />
      <div className={styles.grid}>
        <div className={styles.main}>
          {incident.evidence === null ? (
            <Reported incident={incident} />
          ) : (
            <EvidenceSteps incident={incident} evidence={incident.evidence} />
          )}
          <CapsulePanel capsule={incident.capsule} regions={incident.capsule_regions} />
          <PostmortemPanel orgId={orgId} incident={incident} />
          {incident.example ? null : <PageLinks orgId={orgId} incident={incident} />}
          {incident.evidence === null ? null : (
            <EvidenceChecks checks={incident.evidence.checks} monitorId={incident.evidence.monitor_id} />
          )}
        </div>
        <div className={styles.side}>
          <Timeline orgId={orgId} incidentId={incident.id} isOpen={incident.status === 'open'} />
        </div>
      </div>
      <ReasonDialog
        opened={asking === 'discard'}
        title={t('discard.title')}
        text={t('discard.text')}
        confirm={t('discard.confirm')}
        variant="danger"
        onConfirm={(reason) => steps.take({ do: 'discard', reason })}
        onClose={() => setAsking(null)}
      />
      <ReasonDialog
        opened={asking === 'restore'}
        title={t('discard.restoreTitle')}
        text={t('discard.restoreText')}
        confirm={t('discard.restore')}
        variant="filled"
        onConfirm={(reason) => steps.take({ do: 'restore', reason })}
        onClose={() => setAsking(null)}
      />
    </>
  );
}

/** The text of a person who declared the incident, in place of checks. */
function Reported({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('story.reported')}>
      <p className={styles.reported}>{incident.summary || incident.cause}</p>
      <p className={styles.noEvidence}>{t('story.noEvidence')}</p>
    </Panel>
  );
}
