import { Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listPlans, setOrganizationPlan } from '#src/operator/contract.ts';
import { read } from '#web/read.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './OrganizationTable.module.css';

type Props = { id: string; name: string; plan: string; compact?: boolean };

/** Changes the plan of an organization on selection; only for the operator. */
export function PlanSelect({ id, name, plan, compact = false }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const [chosen, setChosen] = useState(plan);
  const plans = useQuery(read(listPlans, {}));

  function change(wanted: string) {
    setChosen(wanted);
    void write.run(() =>
      send(setOrganizationPlan, { params: { org_id: id }, body: { plan: wanted } }, (changed) =>
        notifications.show({ message: t('plan.changed', { name, plan: changed.plan }) }),
      ),
    );
  }

  const names = plans.data?.map((each) => each.name) ?? [plan];
  return (
    <Select
      w={150}
      classNames={{ input: styles.planName, option: styles.planName }}
      aria-label={t('plan.choose', { name })}
      size={compact ? 'xs' : 'sm'}
      allowDeselect={false}
      disabled={write.busy || !plans.isSuccess}
      value={write.busy ? chosen : plan}
      data={names.includes(plan) ? names : [plan, ...names]}
      onChange={(wanted) => {
        if (wanted !== null && wanted !== plan) change(wanted);
      }}
    />
  );
}
