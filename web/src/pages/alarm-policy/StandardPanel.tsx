import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type AlarmStandard, getAlarmStandard, putAlarmStandard } from '#src/alarm-policy/contract.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Locked } from '#web/ui/Locked.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { send } from '#web/write.ts';
import { inheritedFrom, inheritedPolicy } from '../monitors/form/policy-levels.ts';
import styles from './AlarmPolicyPage.module.css';
import { PolicySentences } from './PolicySentences.tsx';
import { SetFields } from './SetFields.tsx';

/** The organization's alarm standard: everybody can read it; owners and admins set, change and remove it. */
export function StandardPanel() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const role = useMyRole();
  const standard = useQuery(read(getAlarmStandard, { params: { org_id: orgId } }));
  const known = standard.isSuccess && role !== undefined;
  return (
    <Panel
      title={t('alarmPolicy.standard.title')}
      aside={
        !known ? null : mayAdminister(role) ? (
          <Actions orgId={orgId} standard={standard.data} />
        ) : (
          <Locked text={t('settings.ownersAndAdmins')} />
        )
      }
    >
      {standard.isPending ? <LoadingRows count={2} height={40} /> : null}
      {standard.isLoadingError ? <Failure error={standard.error} retry={standard.refetch} /> : null}
      {standard.data === undefined ? null : <Words standard={standard.data} />}
    </Panel>
  );
}

function Words({ standard }: { standard: AlarmStandard | null }) {
  const { t } = useTranslation();
  const policy = inheritedPolicy(inheritedFrom(null, [], standard));
  if (standard === null) {
    return (
      <div className={styles.stack}>
        <p className={styles.none}>{t('alarmPolicy.standard.none')}</p>
        <PolicySentences policy={policy} />
      </div>
    );
  }
  return (
    <div className={styles.stack}>
      <PolicySentences policy={policy} least={standard.min_regions} openingOnly>
        <p>{t('alarmPolicy.standard.least', { count: standard.min_regions })}</p>
      </PolicySentences>
      <SetFields set={standard} inForce={policy} />
      <p className={styles.quiet}>{t('alarmPolicy.standard.meaning')}</p>
    </div>
  );
}

function Actions({ orgId, standard }: { orgId: string; standard: AlarmStandard | null }) {
  const { t } = useTranslation();
  const [lifting, lift] = useDisclosure(false);

  async function liftIt() {
    await send(putAlarmStandard, { params: { org_id: orgId }, body: null }, () =>
      notifications.show({ message: t('alarmPolicy.standard.lifted') }),
    );
  }

  return (
    <div className={styles.buttons}>
      <Button
        size="xs"
        variant={standard === null ? 'filled' : 'default'}
        renderRoot={(props) => (
          <Link {...props} to="/o/$orgId/settings/alarm-policy/standard" params={{ orgId }} />
        )}
      >
        {t(standard === null ? 'alarmPolicy.standard.set' : 'alarmPolicy.standard.change')}
      </Button>
      {standard === null ? null : (
        <Button size="xs" variant="danger" onClick={lift.open}>
          {t('alarmPolicy.standard.lift')}
        </Button>
      )}
      <Confirm
        opened={lifting}
        title={t('alarmPolicy.standard.liftTitle')}
        text={t('alarmPolicy.standard.liftText')}
        confirm={t('alarmPolicy.standard.lift')}
        onConfirm={liftIt}
        onClose={lift.close}
      />
    </div>
  );
}
