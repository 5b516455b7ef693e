import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { EMPTY_LINE } from '#web/ui/empty-line.ts';

/** How many seats of the plan are in use; the line keeps its space while loading. */
export function Seats() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  if (!plan.isSuccess) return <span title={t('members.seatsHint')}>{EMPTY_LINE}</span>;
  const { used, limits } = plan.data;
  const words =
    limits.seats === null
      ? t('members.unlimitedSeats', { count: used.seats })
      : t('members.seats', { used: used.seats, count: limits.seats });
  const isFull = limits.seats !== null && used.seats >= limits.seats;
  return <span title={t('members.seatsHint')}>{isFull ? `${words}. ${t('members.full')}` : words}</span>;
}
