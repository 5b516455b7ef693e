import { Button, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import { createOverride } from '#src/on-call/overrides-contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import form from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './OverridesPanel.module.css';
import { BROWSER_ZONE, zoneName } from './zones.ts';

type Props = {
  /** The time zone of the rotation, in which the list shows them. */
  timezone: string;
  people: Member[];
  me: string;
  /** Admins choose the person; other members only themselves. */
  forOthers: boolean;
};

/** Unix seconds from a `datetime-local` field, in the browser's time zone; null while it is empty. */
const unixOf = (local: string): number | null => {
  const ms = new Date(local).getTime();
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};

/** Puts the reader, or another person, on call for a time. */
export function OverrideForm({ timezone, people, me, forOthers }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite();
  const [userId, setUserId] = useState(me);
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [start, end] = [unixOf(from), unixOf(until)];
  const isOrdered = start === null || end === null || start < end;

  const save = () =>
    write.run(async () => {
      const body = { user_id: userId, starts_at_unix: start ?? 0, ends_at_unix: end ?? 0 };
      await send(createOverride, { params: { org_id: orgId }, body }, () => {
        setFrom((now) => (now === from ? '' : now));
        setUntil((now) => (now === until ? '' : now));
      });
      notifications.show({ message: t('onCall.overrides.saved') });
    });

  return (
    <form
      className={form.stack}
      noValidate
      data-lead="override"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <UnsavedGuard isDirty={(from !== '' || until !== '') && !write.busy} />
      <Refused write={write} />
      {forOthers ? (
        <Select
          label={t('onCall.overrides.person')}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('shell.nothingFound')}
          data={people.map((person) => ({ value: person.user_id, label: person.name }))}
          value={userId}
          onChange={(id) => setUserId(id ?? me)}
        />
      ) : null}
      <div className={form.row}>
        <TextInput
          type="datetime-local"
          label={t('onCall.overrides.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('onCall.overrides.until')}
          value={until}
          error={isOrdered ? null : t('onCall.overrides.order')}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </div>
      {timezone === BROWSER_ZONE ? null : (
        <p className={styles.zone}>
          {t('onCall.overrides.zones', { own: zoneName(BROWSER_ZONE), zone: zoneName(timezone) })}
        </p>
      )}
      <div className={form.actions}>
        <Button
          type="submit"
          variant="default"
          loading={write.busy}
          disabled={start === null || end === null || !isOrdered}
        >
          {t('onCall.overrides.add')}
        </Button>
      </div>
    </form>
  );
}
