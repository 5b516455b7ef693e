import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createIncident } from '#src/incidents/actions-contract.ts';
import { getIncident } from '#src/incidents/contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { MissingFeature } from '../MissingFeature.tsx';
import { useHasIncidentCommand } from '../use-command-refusal.ts';
import { DeclareForm } from './DeclareForm.tsx';

/** Declares an incident. */
export default function DeclarePage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigateWhileShown();
  const { monitor } = useSearch({ from: '/signed-in/o/$orgId/incidents/new' });
  const hasPlan = useHasIncidentCommand(orgId);
  const mayAct = useMayAct();

  async function declare(body: BodyOf<typeof createIncident>) {
    await send(createIncident, { params: { org_id: orgId }, body }, (made) => {
      const params = { org_id: orgId, incident_id: made.id };
      const nothing = { capsule: null, capsule_regions: [], has_postmortem: false };
      queryClient.setQueryData(read(getIncident, { params }).queryKey, { ...made, ...nothing });
      return navigate({
        to: '/o/$orgId/incidents/$incidentId',
        params: { orgId, incidentId: made.id },
        replace: true,
      });
    });
  }

  if (!mayAct) return <PageHead title={t('viewersOnly.title')} below={t('viewersOnly.text')} />;
  return (
    <>
      <PageHead title={t('declare.title')} below={t('declare.lead')} />
      {hasPlan === false ? (
        <MissingFeature orgId={orgId} />
      ) : (
        <DeclareForm
          orgId={orgId}
          monitorId={monitor ?? null}
          onDeclare={declare}
          onCancel={() => void navigate({ to: '/o/$orgId/incidents', params: { orgId } })}
        />
      )}
    </>
  );
}
