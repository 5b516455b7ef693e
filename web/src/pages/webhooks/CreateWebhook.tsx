import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createWebhook, listWebhooks } from '../../../../src/webhooks/contract.ts';
import { call } from '../../call.ts';
import { everyRead, queryClient } from '../../read.ts';
import { SecretOnce } from './SecretOnce.tsx';
import { WebhookForm, type WebhookValues } from './WebhookForm.tsx';

const INITIAL: WebhookValues = { name: '', url: '', events: ['opened', 'acknowledged', 'resolved'] };

type Props = { orgId: string; opened: boolean; onClose: () => void };

/** Creates a webhook, then shows its secret the one time it can be seen. */
export function CreateWebhook({ orgId, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string | null>(null);

  async function create(values: WebhookValues) {
    const made = await call(createWebhook, {
      params: { org_id: orgId },
      body: { ...values, kind: 'webhook' },
    });
    await queryClient.invalidateQueries({ queryKey: everyRead(listWebhooks) });
    if (made.secret === undefined) onClose();
    else setSecret(made.secret);
  }

  function close() {
    setSecret(null);
    onClose();
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t(secret === null ? 'webhooks.new' : 'webhooks.secret')}
      size="lg"
      // The secret is shown once: a click beside the dialog must not lose it.
      closeOnClickOutside={secret === null}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {secret === null ? (
        <WebhookForm
          initial={INITIAL}
          submitLabel={t('webhooks.create')}
          onSubmit={create}
          onCancel={close}
        />
      ) : (
        <SecretOnce secret={secret} onDone={close} />
      )}
    </Modal>
  );
}
