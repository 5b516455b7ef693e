import { Button, Modal, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createMonitorView,
  deleteMonitorView,
  listMonitorViews,
  type MonitorView,
  updateMonitorView,
} from '#src/monitors/views/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { changedOf } from '#web/meanwhile/clashes.ts';
import { useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import stack from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import type { AllSearch } from '../search.ts';

type Props = {
  /** As last read from the server; null: a new view, of the list on the screen. */
  view: MonitorView | null;
  search: AllSearch;
  onClose: () => void;
};

/** Sets a view's name and visibility, and deletes it. */
export function ViewDialog({ view, search, onClose }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const close = useWhileShown(onClose);
  const write = useWrite<unknown>();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const run = (act: () => Promise<unknown>) => void write.run(act).then((done) => done && close());
  const stored = { name: view?.name ?? '', shared: view?.shared ?? false };
  const body = { name: name.trim(), shared };
  const meanwhile = useMeanwhile(stored, body, (values) => {
    setName(values.name);
    setShared(values.shared);
  });

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function change({ id, name: opened }: MonitorView) {
    const params = { org_id: orgId };
    const views = await queryClient.fetchQuery({ ...read(listMonitorViews, { params }), staleTime: 0 });
    const now = views.find((each) => each.id === id);
    if (now === undefined) {
      inNote({ sentence: t('meanwhile.deleted', { name: opened }) });
      return close();
    }
    if (!meanwhile.admits(body, { name: now.name, shared: now.shared })) return;
    const changed = changedOf(meanwhile.base, body);
    await send(updateMonitorView, { params: { ...params, view_id: id }, body: changed });
    close();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t(view === null ? 'views.save' : 'views.editTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <form
        className={stack.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (view === null)
            run(() => send(createMonitorView, { params: { org_id: orgId }, body: { ...body, search } }));
          else void write.run(() => change(view));
        }}
      >
        <ChangedMeanwhile
          clashes={meanwhile.clashes}
          stopped={meanwhile.stopped}
          labelOf={(path) => t(path === 'name' ? 'views.name' : 'views.shared')}
          onSettle={meanwhile.settle}
        />
        <TextInput
          data-autofocus
          label={t('views.name')}
          required
          withAsterisk={false}
          maxLength={100}
          value={name}
          error={write.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Switch
          label={t('views.shared')}
          description={t('views.sharedHint')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <Refused write={write} fields={['name']} />
        {view === null ? null : (
          <div>
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              disabled={write.busy}
              onClick={() =>
                run(() => send(deleteMonitorView, { params: { org_id: orgId, view_id: view.id } }))
              }
            >
              {t('views.delete')}
            </Button>
          </div>
        )}
        <FormActions submit={t('ui.save')} busy={write.busy} onCancel={onClose} />
      </form>
    </Modal>
  );
}
