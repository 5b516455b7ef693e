import { ActionIcon, Button, Menu, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  testWebhook,
  updateWebhook,
  type WebhookTarget,
} from '../../../../src/webhooks/contract.ts';
import { call } from '../../call.ts';
import { useFormats } from '../../format.ts';
import { everyRead, queryClient } from '../../read.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { useRefusalSentence } from '../../ui/refusal-sentence.ts';
import { RotateSecret } from './RotateSecret.tsx';
import { WebhookForm, type WebhookValues } from './WebhookForm.tsx';

const reload = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: everyRead(listWebhooks) }),
    queryClient.invalidateQueries({ queryKey: everyRead(listDeliveries) }),
  ]);

/** Test, pause, edit, rotate the secret, delete. */
export function WebhookActions({ orgId, target }: { orgId: string; target: WebhookTarget }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentence = useRefusalSentence();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const params = { org_id: orgId, target_id: target.id };
  const close = () => setDialog(null);
  const refused = (error: unknown) => notifications.show({ color: 'red', message: sentence(error) });

  const test = useMutation({
    mutationFn: () => call(testWebhook, { params }),
    onSuccess: (result) => {
      const latency = formats.milliseconds(result.latency_ms);
      const status = result.status_code === undefined ? '' : `HTTP ${result.status_code}`;
      notifications.show({
        color: result.ok ? 'green' : 'red',
        title: t(result.ok ? 'webhooks.testOk' : 'webhooks.testFailed'),
        message: [status, result.error, latency].filter(Boolean).join(' · '),
        autoClose: 8_000,
      });
    },
    onError: refused,
    onSettled: reload,
  });
  const toggle = useMutation({
    mutationFn: () => call(updateWebhook, { params, body: { active: !target.active } }),
    onError: refused,
    onSettled: reload,
  });

  async function save({ name, url, events }: WebhookValues) {
    await call(updateWebhook, { params, body: { name, url, events } });
    await reload();
    close();
  }

  async function remove() {
    await call(deleteWebhook, { params });
    await navigate({ to: '/o/$orgId/notifications', params: { orgId } });
    await reload();
  }

  return (
    <>
      <Button leftSection={<IconSend size={16} />} loading={test.isPending} onClick={() => test.mutate()}>
        {t('webhooks.test')}
      </Button>
      <Button
        variant="default"
        leftSection={target.active ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
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
              {t('webhooks.rotate')}
            </Menu.Item>
          ) : null}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
            {t('webhooks.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={dialog === 'edit'}
        onClose={close}
        title={t('webhooks.edit')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <WebhookForm initial={target} submitLabel={t('ui.save')} onSubmit={save} onCancel={close} />
      </Modal>
      <RotateSecret opened={dialog === 'rotate'} orgId={orgId} targetId={target.id} onClose={close} />
      <ConfirmByName
        opened={dialog === 'delete'}
        title={t('webhooks.delete')}
        text={t('webhooks.deleteText')}
        name={target.name}
        confirm={t('ui.delete')}
        onConfirm={remove}
        onClose={close}
      />
    </>
  );
}
