import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './ProbeArrival.module.css';
import { probeOfToken } from './probe-of-token.ts';
import { useRegions } from './use-regions.ts';

type Props = { slug: string; tokenId: string; known: readonly string[] };

/** Polls until a probe has connected with the new token, and names it. */
export function ProbeArrival({ slug, tokenId, known }: Props) {
  const { t } = useTranslation();
  const regions = useRegions(2_000);
  const arrived = probeOfToken(
    regions.data?.find((region) => region.slug === slug),
    tokenId,
    known,
  );
  return (
    <div className={styles.arrival} data-arrived={arrived !== null || undefined} aria-live="polite">
      {arrived === null ? (
        <>
          <Loader size={15} color="var(--ink-3)" aria-hidden="true" />
          <span>{t('operatorRegions.waiting')}</span>
        </>
      ) : (
        <>
          <StatusGlyph state="passed" size={13} />
          <span>
            {arrived.probeId === null
              ? t('operatorRegions.arrivedUnnamed')
              : t('operatorRegions.arrived', { probe: arrived.probeId })}
          </span>
        </>
      )}
    </div>
  );
}
