import { useTranslation } from 'react-i18next';
import type { CapsuleState, IncidentCapsule } from '#src/capsules/contract.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './CapsulePanel.module.css';
import { RegionLookUp } from './RegionLookUp.tsx';

type Props = { capsule: IncidentCapsule | null; regions: readonly CapsuleState[] };

/** The diagnostics of each failing region when the incident opened. They supplement the evidence and do not change it. */
export function CapsulePanel({ capsule, regions }: Props) {
  const { t } = useTranslation();
  if (regions.length === 0) return null;
  return (
    <Panel title={t('capsule.title')}>
      <p className={styles.lead}>{t('capsule.lead')}</p>
      {regions.map(({ region, state, why }) => {
        const found = capsule?.regions.find((each) => each.region === region);
        return (
          <section key={region} className={styles.region} aria-label={t('capsule.region', { region })}>
            {found ? (
              <RegionLookUp found={found} isOnly={regions.length === 1} />
            ) : (
              <p className={styles.state} data-state={state}>
                <span className={styles.name}>{region}</span>
                {state === 'gathering'
                  ? t('capsule.gathering')
                  : state === 'none'
                    ? t(`capsule.none.${why ?? 'no_answer'}`)
                    : t('capsule.unreadable')}
              </p>
            )}
          </section>
        );
      })}
    </Panel>
  );
}
