import { Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listAllOrganizations, listPlans, setOrganizationPlan } from '#src/operator/contract.ts';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient, read } from '#web/read.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import styles from './PlanSelect.module.css';

type Props = { id: string; name: string; plan: string; compact?: boolean };

/** The plan of an organization, changed as soon as another is chosen; for the operator only. */
export function PlanSelect({ id, name, plan, compact = false }: Props) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const plans = useQuery(read(listPlans, {}));
  const change = useMutation({
    mutationFn: (chosen: string) =>
      call(setOrganizationPlan, { params: { org_id: id }, body: { plan: chosen } }),
    onSuccess: (changed) => {
      notifications.show({ message: t('plan.changed', { name, plan: changed.plan }) });
      return Promise.all(
        [listAllOrganizations, getOrganizationPlan].map((operation) =>
          queryClient.invalidateQueries({ queryKey: everyRead(operation) }),
        ),
      );
    },
    onError: (error) => notifications.show({ color: 'red', message: sentence(error) }),
  });
  const names = plans.data?.map((each) => each.name) ?? [plan];
  return (
    <Select
      className={styles.select}
      classNames={{ input: styles.name, option: styles.name }}
      aria-label={t('plan.choose', { name })}
      size={compact ? 'xs' : 'sm'}
      allowDeselect={false}
      disabled={change.isPending || !plans.isSuccess}
      value={change.isPending ? change.variables : plan}
      data={names.includes(plan) ? names : [plan, ...names]}
      onChange={(chosen) => {
        if (chosen !== null && chosen !== plan) change.mutate(chosen);
      }}
    />
  );
}
