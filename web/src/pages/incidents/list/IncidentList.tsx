import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Moment } from '#web/ui/Times.tsx';
import { COLUMNS, IncidentRow, IncidentTable } from '../IncidentTable.tsx';
import styles from './IncidentList.module.css';
import { foldStorms, type Row } from './storms.ts';

type Storm = Extract<Row, { is: 'storm' }>;

/** Incidents line by line, with those of a storm folded into one. */
export function IncidentList({ incidents }: { incidents: readonly IncidentSummary[] }) {
  return (
    <IncidentTable>
      {foldStorms(incidents).map((row) =>
        row.is === 'storm' ? (
          <StormRows key={row.groupId} storm={row} />
        ) : (
          <IncidentRow key={row.incident.id} incident={row.incident} />
        ),
      )}
    </IncidentTable>
  );
}

function StormRows({ storm }: { storm: Storm }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const open = storm.incidents.filter(({ status }) => status === 'open').length;
  return (
    <>
      <tr className={styles.storm} data-over={open === 0 || undefined}>
        <td colSpan={COLUMNS}>
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
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={opened}
              onClick={() => setOpened(!opened)}
            >
              {t(opened ? 'incidents.stormHide' : 'incidents.stormShow')}
            </Button>
          </div>
        </td>
      </tr>
      {opened
        ? storm.incidents.map((incident) => <IncidentRow key={incident.id} incident={incident} isInStorm />)
        : null}
    </>
  );
}
