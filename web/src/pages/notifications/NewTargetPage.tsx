import { Modal } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelName } from '#src/domain/names.ts';
import { createWebhook } from '#src/notifications/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { KindPicker } from './KindPicker.tsx';
import styles from './NewTargetPage.module.css';
import { SecretShownOnce } from './SecretShownOnce.tsx';
import { TargetForm } from './TargetForm.tsx';
import { creationOf, newTarget, type TargetValues } from './target-values.ts';

/** Two steps: choose the kind of target, then fill in its form. */
export default function NewTargetPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { kind } = useSearch({ from: '/signed-in/o/$orgId/managing/notifications/new' });
  if (kind !== undefined) return <NewOfKind key={kind} kind={kind} />;
  return (
    <>
      <PageHead
        title={t('targets.new')}
        above={
          <BackLink to="/o/$orgId/notifications" params={{ orgId }}>
            {t('targets.title')}
          </BackLink>
        }
        below={t('targets.choose')}
      />
      <KindPicker />
    </>
  );
}

function NewOfKind({ kind }: { kind: ChannelName }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigateWhileShown();
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);

  const open = (targetId: string) =>
    navigate({ to: '/o/$orgId/notifications/$targetId', params: { orgId, targetId } });

  async function create(values: TargetValues) {
    const { id, secret } = await send(createWebhook, {
      params: { org_id: orgId },
      body: creationOf(kind, values),
    });
    if (secret === undefined) await open(id);
    else setMade({ id, secret });
  }

  return (
    <>
      <PageHead
        title={t('targets.newOf', { kind: t(`targets.kinds.${kind}`) })}
        above={
          <BackLink to="/o/$orgId/notifications" params={{ orgId }}>
            {t('targets.title')}
          </BackLink>
        }
        below={
          <>
            {t(`targets.does.${kind}`)}{' '}
            <Link to="/o/$orgId/notifications/new" params={{ orgId }}>
              {t('targets.another')}
            </Link>
          </>
        }
      />
      <div className={styles.form}>
        <TargetForm
          kind={kind}
          initial={newTarget(kind)}
          keyHint={null}
          submitLabel={t('targets.create')}
          onSubmit={create}
          onCancel={() => void navigate({ to: '/o/$orgId/notifications', params: { orgId } })}
        />
      </div>
      <Modal
        opened={made !== null}
        // The secret is shown only once: a person must confirm that it is stored.
        onClose={() => undefined}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={t('targets.secret')}
        size="lg"
      >
        {made === null ? null : <SecretShownOnce secret={made.secret} onDone={() => void open(made.id)} />}
      </Modal>
    </>
  );
}
