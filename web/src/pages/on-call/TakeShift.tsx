import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Shift } from '#src/on-call/contract.ts';
import { createOverride } from '#src/on-call/overrides-contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';

type Props = { shift: Shift; until: number; me: string; day: string };

/** Puts the reader on call for the rest of a shift. */
export function TakeShift({ shift, until, me, day }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite({ show: inNote });
  const mayAct = useMayAct();
  const body = { user_id: me, starts_at_unix: shift.from_unix, ends_at_unix: until };
  if (!mayAct) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={write.busy}
      aria-label={t('onCall.overrides.takeNamed', { day })}
      onClick={() => void write.run(() => send(createOverride, { params: { org_id: orgId }, body }))}
    >
      {t('onCall.overrides.take')}
    </Button>
  );
}
