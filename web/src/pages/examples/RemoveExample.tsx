import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeExample } from '#src/examples/contract.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { showGuide } from './guide.ts';

/** Deletes the example and everything in it. Its pages no longer exist then, so the list of monitors opens. */
export function RemoveExample({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const write = useWrite({ show: inNote });
  if (!mayManage) return null;
  const remove = () =>
    write.run(() =>
      send(removeExample, { params: { org_id: orgId } }, async () => {
        showGuide(orgId, false);
        await navigate({ to: '/o/$orgId/monitors', params: { orgId } });
      }),
    );
  return (
    <Button size="xs" variant="default" loading={write.busy} onClick={() => void remove()}>
      {t('example.remove')}
    </Button>
  );
}
