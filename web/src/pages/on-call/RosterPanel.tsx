import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import form from '#web/ui/Form.module.css';
import { Locked } from '#web/ui/Locked.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useDragOrder } from '#web/ui/use-drag-order.ts';
import { moved } from './moved.ts';
import styles from './RosterPanel.module.css';
import { RosterRow } from './RosterRow.tsx';
import type { OnCallDraft } from './use-on-call-draft.ts';

type Props = { settings: OnCallSettings; draft: OnCallDraft; people: Member[]; mayEdit: boolean };

/** The order of the rotation; changes take effect when saved. */
export function RosterPanel({ settings, draft, people, mayEdit }: Props) {
  const { t } = useTranslation();
  // The last change, announced to screen readers.
  const [said, setSaid] = useState('');
  const { order, setOrder: change } = draft;
  const drag = useDragOrder(order, put);
  const nameOf = (id: string) => people.find((person) => person.user_id === id)?.name ?? '';
  const absent = people.filter((person) => !order.includes(person.user_id));

  /** Gives the list its order, and announces the place of one person. */
  function put(id: string, next: string[]) {
    change(next);
    setSaid(t('onCall.roster.moved', { name: nameOf(id), place: next.indexOf(id) + 1, count: next.length }));
  }

  return (
    <Panel
      title={t('onCall.roster.title')}
      lead="roster"
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
                dragged={drag.dragged === userId}
                onDragStart={(event) => drag.start(event, userId, nameOf(userId))}
                onDragEnd={drag.end}
                onDragOver={() => {
                  const { dragged } = drag;
                  // Somebody else may have taken them off meanwhile.
                  if (dragged === null || dragged === userId || !order.includes(dragged)) return;
                  put(dragged, moved(order, order.indexOf(dragged), at));
                }}
                onMove={(to) => put(userId, moved(order, at, to))}
                onRemove={() => {
                  change(order.filter((id) => id !== userId));
                  setSaid(t('onCall.roster.removed', { name: nameOf(userId) }));
                }}
              />
            ))}
          </ol>
        )}
        <span className="visually-hidden" aria-live="assertive">
          {said}
        </span>
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
        {draft.isRosterChanged ? (
          <p className={styles.unsaved}>
            {order.length === 0
              ? t('onCall.roster.willClear')
              : t('onCall.roster.willRestart', { name: nameOf(order[0] ?? '') })}
          </p>
        ) : null}
      </div>
    </Panel>
  );
}
