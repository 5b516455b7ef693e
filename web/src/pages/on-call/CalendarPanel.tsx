import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CALENDAR_SHIFTS, type CalendarShifts } from '#src/domain/names.ts';
import { createCalendar, deleteCalendar, getCalendar } from '#src/on-call/calendar-contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { CopyField } from '#web/ui/CopyField.tsx';
import form from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './OverridesPanel.module.css';

/** The calendar URL with the reader's shifts. It is shown only once. */
export function CalendarPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const params = { org_id: orgId };
  const calendar = useQuery(read(getCalendar, { params }));
  const write = useWrite();
  const [shifts, setShifts] = useState<CalendarShifts>('mine');
  const [url, setUrl] = useState<string | null>(null);
  // Viewers take no shifts.
  const mayAct = useMayAct();
  const which = mayAct ? shifts : 'everybody';
  const since = calendar.data?.created_at_unix ?? null;
  const has = calendar.data?.shifts ?? null;

  const make = () =>
    write.run(() => send(createCalendar, { params, body: { shifts: which } }, (made) => setUrl(made.url)));
  const remove = () => write.run(() => send(deleteCalendar, { params }, () => setUrl(null)));

  return (
    <Panel title={t('onCall.calendar.title')}>
      <div className={form.stack}>
        <p className={styles.lead}>{t('onCall.calendar.lead')}</p>
        {url === null ? null : (
          <>
            <CopyField label={t('onCall.calendar.address')} value={url} />
            <p className={styles.none}>{t('onCall.calendar.once')}</p>
          </>
        )}
        {url === null && since !== null && has !== null ? (
          <p className={styles.none}>
            {t('onCall.calendar.has', {
              shifts: t(`onCall.calendar.${has}`),
              when: formats.dateAndTime(since),
            })}
          </p>
        ) : null}
        <Refused write={write} />
        {mayAct ? (
          <SegmentedControl
            aria-label={t('onCall.calendar.which')}
            value={shifts}
            onChange={(value) => setShifts(value as CalendarShifts)}
            data={CALENDAR_SHIFTS.map((value) => ({ value, label: t(`onCall.calendar.${value}`) }))}
          />
        ) : null}
        <div className={form.actions}>
          {since === null ? null : (
            <Button variant="default" disabled={write.busy} onClick={() => void remove()}>
              {t('onCall.calendar.remove')}
            </Button>
          )}
          <Button data-lead="calendar" variant="default" loading={write.busy} onClick={() => void make()}>
            {t(since === null ? 'onCall.calendar.make' : 'onCall.calendar.renew')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
