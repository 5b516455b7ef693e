import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeExample } from '#src/examples/contract.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { showGuide } from './guide.ts';

/**
 * Opens the list of monitors, then deletes the example and everything in it: a page of the example would go on reading what no
 * longer exists.
 */
export function RemoveExample({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const write = useWrite({ show: inNote });
  if (!mayManage) return null;
  const remove = () =>
    write.run(async () => {
      await navigate({ to: '/o/$orgId/monitors', params: { orgId } });
      await send(removeExample, { params: { org_id: orgId } }, () => showGuide(orgId, false));
    });
  return (
    <Button size="xs" variant="default" loading={write.busy} onClick={() => void remove()}>
      {t('example.remove')}
    </Button>
  );
}
