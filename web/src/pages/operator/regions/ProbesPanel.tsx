import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AdministeredRegion, Probe } from '#src/regions/contract.ts';
import { useFormats } from '#web/format.ts';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import { Ago } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import styles from './Panels.module.css';
import { ProbeActions } from './ProbeActions.tsx';
import { LabelledGlyph } from './RegionWords.tsx';
import { isBusy, probeState, skipsBlockingCheck } from './region-state.ts';

type Props = { region: AdministeredRegion; onAdd: () => void };

/** The probes of a region; without any, how to start one. */
export function ProbesPanel({ region, onAdd }: Props) {
  const { t } = useTranslation();
  const { slug, probes, monitor_count } = region;
  const now = useNow();
  return (
    <Panel title={t('operatorRegions.probes')} flush={probes.length > 0}>
      {probes.length > 0 ? (
        <>
          <table className={table.table} aria-label={t('operatorRegions.probes')}>
            <thead>
              <tr>
                <th scope="col">{t('operatorRegions.probe')}</th>
                <th scope="col" className={styles.wide}>
                  {t('operatorRegions.lastSeen')}
                </th>
                <th scope="col" className={`${table.figure} ${styles.wide}`}>
                  {t('operatorRegions.share')}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t('operatorRegions.probeActs')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {probes.map((probe) => (
                <ProbeRow key={probe.probe_id} slug={slug} probe={probe} total={monitor_count} />
              ))}
            </tbody>
          </table>
          {probes.some(({ admission }) => admission === 'waiting') ? (
            <p className={styles.foot}>{t('operatorRegions.waitingText')}</p>
          ) : null}
          {probes.some((probe) => skipsBlockingCheck(probe, now)) ? (
            <p className={styles.foot}>{t('operatorRegions.setAsideText')}</p>
          ) : null}
          {probes.some((probe) => isBusy(probe, now)) ? (
            <p className={styles.foot}>{t('operatorRegions.busyText')}</p>
          ) : null}
          <p className={styles.foot}>{t('operatorRegions.probesText')}</p>
        </>
      ) : (
        <div className={styles.none}>
          <p>{t('operatorRegions.noProbes')}</p>
          <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
            {t('operatorRegions.addProbe')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function ProbeRow({ slug, probe, total }: { slug: string; probe: Probe; total: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const share =
    probe.monitors === null
      ? '–'
      : t('operatorRegions.shareOf', {
          count: total,
          own: formats.integer(probe.monitors),
          total: formats.integer(total),
        });
  const now = useNow();
  const { state, word } = probeState(probe, now);
  const setAside = skipsBlockingCheck(probe, now);
  return (
    <tr>
      <td className={`${styles.what} ${styles.middle}`}>
        <span className={`mono ${styles.id}`}>{probe.probe_id}</span>
        <LabelledGlyph state={state} word={t(`operatorRegions.state.${word}`)} />
        <span className={styles.narrow}>
          <Ago unix={probe.last_seen_at_unix} />
          {probe.monitors === null ? null : ` · ${share}`}
        </span>
        {setAside ? <span className={styles.setAside}>{t('operatorRegions.setAside')}</span> : null}
      </td>
      <td className={`${styles.wide} ${styles.middle} ${table.quiet} ${table.nowrap}`}>
        <Ago unix={probe.last_seen_at_unix} />
      </td>
      <td className={`${table.figure} ${styles.wide} ${styles.middle}`}>{share}</td>
      <td className={`${styles.end} ${styles.middle}`}>
        <ProbeActions slug={slug} probe={probe} />
      </td>
    </tr>
  );
}
