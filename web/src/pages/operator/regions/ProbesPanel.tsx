import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AdministeredRegion, Probe } from '../../../../../src/regions/contract.ts';
import { useFormats } from '../../../format.ts';
import { Panel } from '../../../ui/Panel.tsx';
import table from '../../../ui/Table.module.css';
import { Ago } from '../../../ui/Times.tsx';
import styles from './Panels.module.css';
import { GlyphWord } from './RegionWords.tsx';

type Props = { region: AdministeredRegion; onAdd: () => void };

/** The programs that check from a region; without one, how to get it is the next thing to do. */
export function ProbesPanel({ region, onAdd }: Props) {
  const { t } = useTranslation();
  const { probes, monitor_count } = region;
  return (
    <Panel title={t('operatorRegions.probes')} flush={probes.length > 0}>
      {probes.length > 0 ? (
        <>
          <table className={table.table} aria-label={t('operatorRegions.probes')}>
            <thead>
              <tr>
                <th scope="col">{t('operatorRegions.probe')}</th>
                <th scope="col">{t('operatorRegions.condition')}</th>
                <th scope="col" className={styles.wide}>
                  {t('operatorRegions.lastSeen')}
                </th>
                <th scope="col" className={`${table.figure} ${styles.wide}`}>
                  {t('operatorRegions.share')}
                </th>
              </tr>
            </thead>
            <tbody>
              {probes.map((probe) => (
                <ProbeRow key={probe.probe_id} probe={probe} total={monitor_count} />
              ))}
            </tbody>
          </table>
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

function ProbeRow({ probe, total }: { probe: Probe; total: number }) {
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
  return (
    <tr>
      <td className={styles.what}>
        <span className={`mono ${styles.id}`}>{probe.probe_id}</span>
        <span className={styles.narrow}>
          <Ago unix={probe.last_seen_at_unix} />
          {probe.monitors === null ? null : ` · ${share}`}
        </span>
      </td>
      <td className={table.nowrap}>
        <GlyphWord
          state={probe.online ? 'passed' : 'pending'}
          word={t(`operatorRegions.state.${probe.online ? 'online' : 'offline'}`)}
        />
      </td>
      <td className={`${styles.wide} ${table.quiet} ${table.nowrap}`}>
        <Ago unix={probe.last_seen_at_unix} />
      </td>
      <td className={`${table.figure} ${styles.wide}`}>{share}</td>
    </tr>
  );
}
