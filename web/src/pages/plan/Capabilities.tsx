import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PlanInUse } from '#src/plans/contract.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './Capabilities.module.css';

const CAPABILITIES = ['on_call', 'incident_command', 'private_status_pages', 'white_label'] as const;

/** The features of a plan, in words and not only by an icon. */
export function Capabilities({ plan }: { plan: PlanInUse }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('plan.capabilities')}>
      <ul className={styles.list}>
        {CAPABILITIES.map((capability) => {
          const included = plan.capabilities[capability];
          const Icon = included ? IconCheck : IconMinus;
          return (
            <li key={capability} className={styles.row} data-included={included || undefined}>
              <span className={styles.words}>
                <span>{t(`plan.capability.${capability}`)}</span>
                <span className={styles.about}>{t(`plan.capabilityWords.${capability}`)}</span>
              </span>
              <span className={styles.answer}>
                <Icon size={15} stroke={2} aria-hidden="true" />
                {t(included ? 'plan.included' : 'plan.notIncluded')}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
