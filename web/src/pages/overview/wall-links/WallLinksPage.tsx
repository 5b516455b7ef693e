import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { createWallLink, listWallLinks, revokeWallLink, type WallLink } from '#src/walls/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { Confirm } from '#web/ui/Confirm.tsx';
import { CopyField } from '#web/ui/CopyField.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import stack from '#web/ui/Form.module.css';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './WallLinksPage.module.css';

/** Links to the wall display: creates them, shows each once, revokes them. */
export default function WallLinksPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const links = useQuery(read(listWallLinks, { params: { org_id: orgId } }));
  const [revoking, setRevoking] = useState<WallLink | null>(null);
  const above = (
    <BackLink to="/o/$orgId/overview" params={{ orgId }}>
      {t('overview.title')}
    </BackLink>
  );
  return (
    <>
      <PageHead title={t('wall.title')} above={above} below={t('wall.lead')} />
      <div className={styles.parts}>
        <MakeLink />
        {links.isPending ? <LoadingRows count={2} height={60} /> : null}
        {links.isError ? <Failure error={links.error} retry={links.refetch} /> : null}
        {links.data?.length === 0 ? <Empty title={t('wall.none')} text={t('wall.noneText')} /> : null}
        {links.data === undefined || links.data.length === 0 ? null : (
          <Panel title={t('wall.links')} flush>
            <ul className={styles.rows}>
              {links.data.map((link) => (
                <Row key={link.id} link={link} onRevoke={() => setRevoking(link)} />
              ))}
            </ul>
          </Panel>
        )}
      </div>
      <Confirm
        opened={revoking !== null}
        title={t('wall.revokeTitle', { name: revoking?.name ?? '' })}
        text={t('wall.revokeText')}
        confirm={t('wall.revoke')}
        onConfirm={async () => {
          if (revoking !== null)
            await send(revokeWallLink, { params: { org_id: orgId, link_id: revoking.id } });
        }}
        onClose={() => setRevoking(null)}
      />
    </>
  );
}

function MakeLink() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const form = useForm({ initialValues: { name: '' } });
  const write = useWrite<{ name: string; url: string }>({ show: atField(form, 'name') });

  async function make({ name }: { name: string }) {
    const made = await write.run(() =>
      send(createWallLink, { params: { org_id: orgId }, body: { name: name.trim() } }),
    );
    if (made && form.getValues().name === name) form.reset();
  }

  return (
    <Panel title={t('wall.make')}>
      <div className={stack.stack}>
        <form className={styles.form} onSubmit={form.onSubmit((values) => void make(values))} noValidate>
          <TextInput
            label={t('wall.name')}
            placeholder={t('wall.namePlaceholder')}
            maxLength={200}
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={write.busy}>
            {t('wall.make')}
          </Button>
        </form>
        {/* Who leaves while it is made would never see it. */}
        <UnsavedGuard isDirty={write.busy} />
        <Refused write={write} />
        {write.reply === undefined ? null : (
          <>
            <p role="status">{t('wall.onceText')}</p>
            <CopyField label={t('wall.address')} value={write.reply.url} />
            <div className={stack.actions}>
              <Button variant="default" component="a" href={write.reply.url} target="_blank" rel="noreferrer">
                {t('wall.show')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

function Row({ link, onRevoke }: { link: WallLink; onRevoke: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { created_by_name: who, created_at_unix, last_seen_at_unix } = link;
  const when = formats.date(created_at_unix);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>{link.name}</p>
        <p className={styles.facts}>
          {who === null ? t('wall.madeBySomebody', { when }) : t('wall.made', { when, who })} ·{' '}
          {last_seen_at_unix === null
            ? t('wall.neverSeen')
            : t('wall.seen', { when: formats.ago(now - last_seen_at_unix) })}
        </p>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={`${t('wall.revoke')}: ${isolated(link.name)}`}
        onClick={onRevoke}
      >
        {t('wall.revoke')}
      </Button>
    </li>
  );
}
