import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Member } from '#src/members/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import { deleteOverride, listOverrides, type Override } from '#src/on-call/overrides-contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import form from '#web/ui/Form.module.css';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { OverrideForm } from './OverrideForm.tsx';
import styles from './OverridesPanel.module.css';

type Props = { settings: OnCallSettings; people: Member[]; mayEdit: boolean };

/** Overrides: a member adds and deletes their own, an admin everybody's. */
export function OverridesPanel({ settings, people, mayEdit }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const me = useQuery(sessionQuery).data?.user.id;
  const mayAct = useMayAct();
  const overrides = useQuery(read(listOverrides, { params: { org_id: orgId } }));
  const write = useWrite();
  const list = overrides.data ?? [];
  const when = ({ starts_at_unix: from, ends_at_unix: until }: Override) =>
    t('onCall.overrides.when', {
      from: formats.inZone(from, settings.timezone),
      until: formats.inZone(until, settings.timezone),
    });
  const remove = (id: string) =>
    write.run(() => send(deleteOverride, { params: { org_id: orgId, override_id: id } }));

  return (
    <Panel title={t('onCall.overrides.title')}>
      <div className={form.stack}>
        <p className={styles.lead}>{t('onCall.overrides.lead')}</p>
        {overrides.isPending ? <LoadingRows count={1} height={30} /> : null}
        {overrides.isLoadingError ? <Failure error={overrides.error} retry={overrides.refetch} /> : null}
        {overrides.isSuccess && list.length === 0 ? (
          <p className={styles.none}>{t('onCall.overrides.none')}</p>
        ) : null}
        {list.length === 0 ? null : (
          <ul className={styles.list} aria-label={t('onCall.overrides.title')}>
            {list.map((override) => (
              <li key={override.id} className={styles.row}>
                <span className={styles.who}>{override.name}</span>
                <span className={styles.when}>{when(override)}</span>
                {mayEdit || override.user_id === me ? (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={write.busy}
                    aria-label={t('onCall.overrides.remove', { name: override.name, when: when(override) })}
                    onClick={() => void remove(override.id)}
                  >
                    <IconX size={16} stroke={1.8} aria-hidden="true" />
                  </ActionIcon>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        <Refused write={write} />
        {settings.entitled && mayAct && me !== undefined ? (
          <OverrideForm timezone={settings.timezone} people={people} me={me} forOthers={mayEdit} />
        ) : null}
      </div>
    </Panel>
  );
}
