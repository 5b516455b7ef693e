import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteViewer, listViewers, type Viewer } from '#src/status-pages/access-contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { send } from '#web/write.ts';
import own from './Access.module.css';
import { InviteViewer } from './InviteViewer.tsx';

/** People who can see this page without an account here. */
export function ViewersPanel({ pageId }: { pageId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [inviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Viewer | null>(null);
  const viewers = useQuery(read(listViewers, { params: { id: pageId } }));
  return (
    <Panel
      title={t('statusPages.viewers.title')}
      flush
      aside={
        <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setInviting(true)}>
          {t('statusPages.viewers.invite')}
        </Button>
      }
    >
      {viewers.isPending ? <LoadingRows count={2} /> : null}
      {viewers.isError ? <Failure error={viewers.error} retry={viewers.refetch} /> : null}
      {viewers.data?.length === 0 ? <p className={own.none}>{t('statusPages.viewers.none')}</p> : null}
      <ul aria-label={t('statusPages.viewers.title')}>
        {viewers.data?.map((viewer) => (
          <li key={viewer.id} className={own.row}>
            <span className={own.person}>
              <span className={own.name}>{viewer.username}</span>
              <span className={own.about}>
                {viewer.email}
                {' · '}
                {viewer.last_login_at_unix === null
                  ? t('statusPages.viewers.never')
                  : t('statusPages.viewers.last', { time: formats.moment(viewer.last_login_at_unix) })}
              </span>
            </span>
            <ActionIcon
              aria-label={t('statusPages.viewers.delete', { name: viewer.username })}
              onClick={() => setLeaving(viewer)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <InviteViewer opened={inviting} pageId={pageId} onClose={() => setInviting(false)} />
      <Confirm
        opened={leaving !== null}
        title={t('statusPages.viewers.delete', { name: leaving?.username ?? '' })}
        text={t('statusPages.viewers.deleteText')}
        confirm={t('ui.delete')}
        onConfirm={async () => {
          if (leaving !== null) await send(deleteViewer, { params: { id: pageId, viewer_id: leaving.id } });
        }}
        onClose={() => setLeaving(null)}
      />
    </Panel>
  );
}
