import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import styles from './DomainSteps.module.css';
import { DOMAIN_STEPS, type StepState, stepsOf } from './domain-state.ts';

/** The steps from the record to the certificate, with the current one. */
export function DomainSteps({ domain }: { domain: CustomDomain }) {
  const { t } = useTranslation();
  const states = stepsOf(domain);
  return (
    <ol className={styles.steps} aria-label={t('pageDomains.steps', { domain: domain.domain })}>
      {DOMAIN_STEPS.map((step, i) => {
        const state = states[i] ?? 'waiting';
        return (
          <li
            key={step}
            className={styles.step}
            data-state={state}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              <Mark state={state} number={i + 1} />
            </span>
            <span className={styles.word}>{t(`pageDomains.step.${step}`)}</span>
            <span className="visually-hidden">: {t(`pageDomains.stepState.${state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Mark({ state, number }: { state: StepState; number: number }) {
  switch (state) {
    case 'done':
      return <IconCheck size={14} stroke={2.6} />;
    case 'failed':
      return <IconX size={14} stroke={2.6} />;
    case 'elsewhere':
      return <IconMinus size={14} stroke={2.6} />;
    default:
      return number;
  }
}
