import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { getOrganizationPlan, type PlanInUse } from '#src/plans/contract.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useIsOperator } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { PlanSelect } from '../operator/PlanSelect.tsx';
import { Capabilities } from './Capabilities.tsx';
import { Limits } from './Limits.tsx';
import styles from './PlanPage.module.css';

export default function PlanPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  return (
    <>
      <PageHead title={t('plan.title')} below={t('plan.lead')} />
      {plan.isPending ? <LoadingRows count={4} height={72} /> : null}
      {plan.isError ? <Failure error={plan.error} retry={plan.refetch} /> : null}
      {plan.isSuccess ? (
        <div className={styles.page}>
          <Current plan={plan.data} />
          <div className={styles.halves}>
            <Limits plan={plan.data} />
            <Capabilities plan={plan.data} />
          </div>
        </div>
      ) : null}
    </>
  );
}

function Current({ plan }: { plan: PlanInUse }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const isOperator = useIsOperator();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const organization = organizations.data?.find((each) => each.id === orgId);
  return (
    <Panel title={t('plan.current')}>
      <div className={styles.current}>
        <div>
          <p className={styles.name}>{plan.name}</p>
          <p className={styles.who}>{t(isOperator ? 'plan.changeLead' : 'plan.askOperator')}</p>
        </div>
        {isOperator && organization !== undefined ? (
          <PlanSelect id={orgId} name={organization.name} plan={plan.name} />
        ) : null}
      </div>
    </Panel>
  );
}
