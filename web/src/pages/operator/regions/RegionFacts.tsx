import { useTranslation } from 'react-i18next';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { useFormats } from '#web/format.ts';
import styles from './RegionFacts.module.css';

/** The settings of a region, with their meaning. */
export function RegionFacts({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { monitor_count, internal, allow_private_targets, keep_private_responses, canaries } = region;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('operatorRegions.monitors')}</dt>
        <dd>{formats.integer(monitor_count)}</dd>
      </div>
      <div>
        <dt>{t('operatorRegions.offered')}</dt>
        <dd>{t(internal ? 'operatorRegions.offeredNo' : 'operatorRegions.offeredYes')}</dd>
      </div>
      <div>
        <dt>{t('operatorRegions.privateTargets')}</dt>
        <dd>{t(allow_private_targets ? 'operatorRegions.allowed' : 'operatorRegions.refused')}</dd>
      </div>
      {allow_private_targets ? (
        <div>
          <dt>{t('operatorRegions.answers')}</dt>
          <dd>
            {t(keep_private_responses ? 'operatorRegions.answersKept' : 'operatorRegions.answersNotKept')}
          </dd>
        </div>
      ) : null}
      <div className={styles.wide}>
        <dt>{t('operatorRegions.canaries')}</dt>
        <dd className={canaries.length === 0 ? undefined : `mono ${styles.hosts}`}>
          {canaries.length === 0
            ? t('operatorRegions.noCanaries')
            : canaries.map((canary) => <span key={canary}>{canary}</span>)}
        </dd>
      </div>
    </dl>
  );
}
