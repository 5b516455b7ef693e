import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentDetail, IncidentSummary } from '../../../../../src/incidents/contract.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { Moment } from '../../../ui/Times.tsx';
import { IncidentTable } from '../IncidentTable.tsx';
import styles from './IncidentList.module.css';
import { foldStorms, type Row } from './storms.ts';

type Details = ReadonlyMap<string, IncidentDetail>;
type Props = { incidents: readonly IncidentSummary[]; details: Details };
type Storm = Extract<Row, { is: 'storm' }>;
type Stretch = Storm | { is: 'incidents'; key: string; incidents: IncidentSummary[] };

/** Incidents line by line, with those that began together folded into one. */
export function IncidentList({ incidents, details }: Props) {
  return stretchesOf(foldStorms(incidents)).map((stretch, at) =>
    stretch.is === 'storm' ? (
      <StormRows key={stretch.key} storm={stretch} details={details} />
    ) : (
      <IncidentTable
        key={stretch.key}
        incidents={stretch.incidents}
        details={details}
        isHeadHidden={at > 0}
      />
    ),
  );
}

/** Neighbours that stand alone are one table. */
function stretchesOf(rows: readonly Row[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (row.is === 'storm') stretches.push(row);
    else if (last?.is === 'incidents') last.incidents.push(row.incident);
    else stretches.push({ is: 'incidents', key: row.incident.id, incidents: [row.incident] });
  }
  return stretches;
}

function StormRows({ storm, details }: { storm: Storm; details: Details }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const open = storm.incidents.filter(({ status }) => status === 'open').length;
  return (
    <section className={styles.storm}>
      <div className={styles.head}>
        <span className={styles.words}>
          <StatusGlyph state={open > 0 ? 'failed' : 'pending'} />
          <span className={styles.said}>{t('incidents.storm', { count: storm.incidents.length })}</span>
          <span className={styles.quiet}>
            <Moment unix={storm.fromUnix} />
          </span>
          {open === 0 ? null : (
            <span className={styles.quiet}>{t('incidents.stormOpen', { count: open })}</span>
          )}
        </span>
        <Button size="compact-sm" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t(opened ? 'incidents.stormHide' : 'incidents.stormShow')}
        </Button>
      </div>
      {opened ? <IncidentTable incidents={storm.incidents} details={details} isHeadHidden /> : null}
    </section>
  );
}
