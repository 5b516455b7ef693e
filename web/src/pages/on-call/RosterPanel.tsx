import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import { type OnCallSettings, putRoster, type Roster } from '#src/on-call/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import form from '#web/ui/Form.module.css';
import { Locked } from '#web/ui/Locked.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { moved } from './moved.ts';
import styles from './RosterPanel.module.css';
import { RosterRow } from './RosterRow.tsx';

type Props = { settings: OnCallSettings; roster: Roster; people: Member[]; mayEdit: boolean };

/** The order in which people are on duty; what is changed counts when it is saved. */
export function RosterPanel({ settings, roster, people, mayEdit }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite();
  const stored = roster.members.map((member) => member.user_id);
  const [draft, setDraft] = useState<string[] | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const order = draft ?? stored;
  const change = (next: string[]) => setDraft(next.join() === stored.join() ? null : next);
  const nameOf = (id: string) => people.find((person) => person.user_id === id)?.name ?? '';
  const absent = people.filter((person) => !order.includes(person.user_id));

  const save = (ids: string[]) =>
    write.run(async () => {
      const members = ids.map((user_id, position) => ({ position, user_id }));
      await send(putRoster, { params: { org_id: orgId }, body: { members } });
      setDraft(null);
      notifications.show({ message: t('onCall.roster.saved') });
    });

  return (
    <Panel
      title={t('onCall.roster.title')}
      aside={mayEdit || !settings.entitled ? null : <Locked text={t('settings.ownersAndAdmins')} />}
    >
      <div className={form.stack}>
        <p className={styles.lead}>{t('onCall.roster.lead')}</p>
        {order.length === 0 ? <p className={styles.none}>{t('onCall.roster.none')}</p> : null}
        {order.length === 0 ? null : (
          <ol className={styles.list} aria-label={t('onCall.roster.title')}>
            {order.map((userId, at) => (
              <RosterRow
                key={userId}
                name={nameOf(userId)}
                at={at}
                last={order.length - 1}
                mayEdit={mayEdit}
                dragged={dragged === at}
                onDrag={setDragged}
                onDragOver={() => {
                  if (dragged === null || dragged === at) return;
                  change(moved(order, dragged, at));
                  setDragged(at);
                }}
                onMove={(to) => change(moved(order, at, to))}
                onRemove={() => change(order.filter((id) => id !== userId))}
              />
            ))}
          </ol>
        )}
        {mayEdit && absent.length > 0 ? (
          <Select
            className={styles.add}
            aria-label={t('onCall.roster.add')}
            placeholder={t('onCall.roster.add')}
            searchable
            value={null}
            nothingFoundMessage={t('shell.nothingFound')}
            data={absent.map((person) => ({ value: person.user_id, label: person.name }))}
            onChange={(id) => (id === null ? undefined : change([...order, id]))}
          />
        ) : null}
        {draft === null ? null : (
          <div className={styles.unsaved}>
            <p>
              {draft.length === 0
                ? t('onCall.roster.willClear')
                : t('onCall.roster.willRestart', { name: nameOf(draft[0] ?? '') })}
            </p>
            <Refused write={write} />
            <div className={form.actions}>
              <Button
                variant="default"
                onClick={() => {
                  setDraft(null);
                  write.reset();
                }}
              >
                {t('ui.cancel')}
              </Button>
              <Button loading={write.busy} onClick={() => void save(draft)}>
                {t('onCall.roster.save')}
              </Button>
            </div>
          </div>
        )}
      </div>
    </Panel>
  );
}
