import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteWebhook, updateWebhook, type WebhookTarget } from '#src/notifications/contract.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient } from '#web/read.ts';
import { FormModal } from '#web/ui/FormModal.tsx';
import { useDelete } from '#web/ui/use-delete.tsx';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { kindOf } from './kinds.ts';
import { RotateSecret } from './RotateSecret.tsx';
import { TargetForm } from './TargetForm.tsx';
import { changesOf, shownValues, type TargetValues, valuesOfTarget } from './target-values.ts';
import { targetsOf } from './targets-of.ts';
import type { TargetTest } from './test-target.ts';

type Props = { orgId: string; target: WebhookTarget; test: TargetTest };

/** Test, pause, edit, rotate the secret, delete. */
export function TargetActions({ orgId, target, test }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | null>(null);
  const deleteSoon = useDelete();
  const params = { org_id: orgId, target_id: target.id };
  const kind = kindOf(target.kind);
  const close = () => setDialog(null);

  const toggle = () => write.run(() => send(updateWebhook, { params, body: { active: !target.active } }));

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function save(values: TargetValues, { base, admits }: Meanwhile<TargetValues>) {
    const targets = await queryClient.fetchQuery({ ...targetsOf(orgId), staleTime: 0 });
    const now = targets.find(({ id }) => id === target.id);
    // Deleted meanwhile: the page says so.
    if (now === undefined) return;
    const shown = (of: TargetValues) => shownValues(kind, of, now.secret_hint);
    if (!admits(shown(values), shown(valuesOfTarget(now)))) return;
    const body = changesOf(kind, base, values);
    if (Object.keys(body).length > 0) await send(updateWebhook, { params, body });
    // Closed meanwhile, it must not take the next one along: a new secret would never be seen.
    setDialog((now) => (now === 'edit' ? null : now));
  }

  function remove() {
    deleteSoon({ ids: [target.id], name: target.name, send: () => send(deleteWebhook, { params }) });
    void navigate({ to: '/o/$orgId/notifications', params: { orgId } });
  }

  return (
    <>
      <Button leftSection={<IconSend size={16} />} loading={test.busy} onClick={() => void test.run()}>
        {t('targets.test')}
      </Button>
      <Button
        variant="default"
        leftSection={target.active ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        loading={write.busy}
        onClick={() => void toggle()}
      >
        {t(target.active ? 'monitor.pause' : 'monitor.resume')}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setDialog('edit')}>
        {t('ui.edit')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('monitor.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {target.kind === 'webhook' ? (
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => setDialog('rotate')}>
              {t('targets.rotate')}
            </Menu.Item>
          ) : null}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            {t('targets.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal opened={dialog === 'edit'} onClose={close} title={t('targets.edit')} size="lg">
        {(cancel) => (
          <TargetForm
            kind={kind}
            initial={valuesOfTarget(target)}
            stored={valuesOfTarget(target)}
            keyHint={target.secret_hint}
            submitLabel={t('ui.save')}
            onSubmit={save}
            onCancel={cancel}
          />
        )}
      </FormModal>
      <RotateSecret opened={dialog === 'rotate'} orgId={orgId} targetId={target.id} onClose={close} />
    </>
  );
}
