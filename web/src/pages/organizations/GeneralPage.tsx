import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { listMyOrganizations, type Organization, renameOrganization } from '#src/organizations/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { CopyField } from '#web/ui/CopyField.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { DangerZone } from './DangerZone.tsx';
import styles from './GeneralPage.module.css';
import { OrganizationLanguage } from './OrganizationLanguage.tsx';

export default function GeneralPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const role = useMyRole();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const organization = organizations.data?.find((each) => each.id === orgId);
  return (
    <>
      <PageHead title={t('settings.tabs.general')} />
      {organizations.isPending ? <LoadingRows count={3} height={72} /> : null}
      {organizations.isError ? <Failure error={organizations.error} retry={organizations.refetch} /> : null}
      {organization === undefined ? null : (
        <div className={styles.page}>
          <Panel title={t('organizations.name')}>
            <div className={styles.fields}>
              <Name key={organization.id} organization={organization} mayRename={mayAdminister(role)} />
              <OrganizationLanguage organization={organization} mayChange={mayAdminister(role)} />
              <Fixed label={t('settings.slug')} hint={t('settings.slugHint')} value={organization.slug} />
              <Fixed label={t('settings.id')} hint={t('settings.idHint')} value={organization.id} />
              {role === undefined ? null : (
                <div>
                  <p className={styles.label}>{t('settings.yourRole')}</p>
                  <p>
                    {t(`roles.${role}`)} <span className={styles.quiet}>– {t(`roleWords.${role}`)}</span>
                  </p>
                </div>
              )}
            </div>
          </Panel>
          <DangerZone organization={organization} />
        </div>
      )}
    </>
  );
}

function Name({ organization, mayRename }: { organization: Organization; mayRename: boolean }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { name: organization.name } });
  const write = useWrite({ show: atField(form, 'name') });
  const written = { name: form.values.name.trim() };
  const same = written.name === organization.name;
  const meanwhile = useMeanwhile({ name: organization.name }, written, form.setValues);
  // After a rename elsewhere, an untouched field follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new name counts, not a new form
  useEffect(() => {
    if (written.name !== meanwhile.base.name) return;
    form.initialize({ name: organization.name });
    meanwhile.rebase({ name: organization.name });
  }, [organization.name]);

  /** Renames it, unless somebody else has. */
  const rename = () =>
    write.run(async () => {
      const params = { org_id: organization.id };
      const all = await queryClient.fetchQuery({ ...read(listMyOrganizations, {}), staleTime: 0 });
      const now = all.find(({ id }) => id === organization.id);
      if (now !== undefined && !meanwhile.admits(written, { name: now.name })) return;
      const renamed = await send(renameOrganization, { params, body: written });
      meanwhile.rebase({ name: renamed.name });
      if (form.getValues().name.trim() === written.name) form.setValues({ name: renamed.name });
      form.resetDirty({ name: renamed.name });
      notifications.show({ message: t('settings.renamed') });
    });

  return (
    <form
      className={styles.name}
      data-lead="organization-name"
      onSubmit={form.onSubmit(() => void rename())}
      noValidate
    >
      <UnsavedGuard isDirty={!same && !write.busy} />
      <ChangedMeanwhile
        clashes={meanwhile.clashes}
        stopped={meanwhile.stopped}
        labelOf={() => t('settings.name')}
        onSettle={meanwhile.settle}
      />
      <TextInput
        className={styles.grow}
        label={t('settings.name')}
        description={mayRename ? t('settings.nameHint') : t('settings.ownersAndAdmins')}
        classNames={mayRename ? {} : { input: styles.fixed }}
        readOnly={!mayRename}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      {mayRename ? (
        <Button
          className={styles.save}
          type="submit"
          loading={write.busy}
          disabled={same || form.values.name.trim() === ''}
        >
          {t('ui.save')}
        </Button>
      ) : null}
    </form>
  );
}

function Fixed({ label, hint, value }: { label: string; hint: string; value: string }) {
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <CopyField label={label} value={value} />
      <p className={styles.hint}>{hint}</p>
    </div>
  );
}
