import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import styles from './RegionsPage.module.css';
import { RegionBadges, RegionStateWord } from './RegionWords.tsx';

/** One region in a row; the whole row links to it. */
export function RegionRow({ region }: { region: AdministeredRegion }) {
  const { t } = useTranslation();
  const { slug, name, probes, monitor_count, canaries } = region;
  const online = probes.filter((probe) => probe.online).length;
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <Link className={styles.name} to="/operator/regions/$slug" params={{ slug }}>
          {name}
        </Link>
        <span className={`mono ${styles.slug}`}>{slug}</span>
      </span>
      <span className={styles.marks}>
        <RegionBadges region={region} />
      </span>
      <span className={styles.state}>
        <RegionStateWord region={region} />
        {probes.length === 0 ? null : (
          <span className={styles.quiet}>
            {t('operatorRegions.probesOnline', { count: probes.length, online })}
          </span>
        )}
      </span>
      <span className={styles.figures}>
        <span>{t('operatorRegions.monitorCount', { count: monitor_count })}</span>
        <span className={styles.quiet}>{t('operatorRegions.canaryCount', { count: canaries.length })}</span>
      </span>
    </li>
  );
}
