import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acknowledgeIncident, type IncidentSummary } from '#src/incidents/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Moment } from '#web/ui/Times.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { COLUMNS, IncidentRow, IncidentTable } from '../IncidentTable.tsx';
import { useStormWords } from '../use-cause-words.ts';
import styles from './IncidentList.module.css';
import { collapseStorms, type Row } from './storms.ts';

type Storm = Extract<Row, { is: 'storm' }>;

/** The incidents as rows; those of a storm are collapsed into one. */
export function IncidentList({ incidents }: { incidents: readonly IncidentSummary[] }) {
  return (
    <IncidentTable>
      {collapseStorms(incidents).map((row) =>
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
  const words = useStormWords();
  const [opened, setOpened] = useState(false);
  const open = storm.incidents.filter(({ status }) => status === 'open').length;
  return (
    <>
      <tr className={styles.storm} data-over={open === 0 || undefined}>
        <td colSpan={COLUMNS}>
          <div className={styles.head}>
            <span className={styles.words}>
              <StatusGlyph state={open > 0 ? 'failed' : 'pending'} />
              <span className={styles.said}>
                {storm.name === null
                  ? t('incidents.storm', { count: storm.incidents.length })
                  : words(storm.name)}
              </span>
              {storm.name === null ? null : (
                <span className={styles.quiet}>
                  {t('incidents.storm', { count: storm.incidents.length })}
                </span>
              )}
              <span className={styles.quiet}>
                <Moment unix={storm.fromUnix} />
              </span>
              {open === 0 ? null : (
                <span className={styles.quiet}>{t('incidents.stormOpen', { count: open })}</span>
              )}
            </span>
            <span className={styles.buttons}>
              <AcknowledgeStorm storm={storm} />
              <Button
                size="compact-sm"
                variant="default"
                aria-expanded={opened}
                onClick={() => setOpened(!opened)}
              >
                {t(opened ? 'incidents.stormHide' : 'incidents.stormShow')}
              </Button>
            </span>
          </div>
        </td>
      </tr>
      {opened
        ? storm.incidents.map((incident) => <IncidentRow key={incident.id} incident={incident} isInStorm />)
        : null}
    </>
  );
}

/** Acknowledges a whole storm, including incidents that the list does not show. */
function AcknowledgeStorm({ storm }: { storm: Storm }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite({ show: inNote });
  const mayAct = useMayAct();
  const waiting = storm.incidents.find(({ lifecycle_state }) => lifecycle_state === 'triggered');
  if (waiting === undefined || !mayAct) return null;
  const params = { org_id: orgId, incident_id: waiting.id };
  return (
    <Button
      size="compact-sm"
      leftSection={<IconEye size={15} />}
      loading={write.busy}
      onClick={() => void write.run(() => send(acknowledgeIncident, { params, query: { group: 'true' } }))}
    >
      {t('incidents.stormAcknowledge')}
    </Button>
  );
}
