import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { slugFrom } from '#src/domain/slug.ts';
import { createStatusPage } from '#src/status-pages/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import own from './NewStatusPagePage.module.css';
import { pageAddress } from './page-access.ts';
import { useAddressRefusal } from './use-address-refusal.ts';

/** Asks for a name and an address; the editor, which opens next, has everything else. */
export default function NewStatusPagePage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigateWhileShown();
  // The address follows the name until somebody edits it.
  const [ownSlug, setOwnSlug] = useState(false);
  const form = useForm({
    initialValues: { name: '', slug: '' },
    validate: { name: (value) => (value.trim() === '' ? t('statusPages.nameNeeded') : null) },
  });
  const write = useWrite({
    // A derived address is refused at the name, an edited one at its own field.
    show: (refusal) =>
      atFields(form)(ownSlug || refusal.field !== 'name' ? refusal : { ...refusal, field: 'slug' }),
    words: useAddressRefusal(),
  });
  const slug = slugFrom(form.values.slug);

  const create = ({ name }: { name: string }) =>
    write.run(async () => {
      const body = { name: name.trim(), ...(slug === '' ? {} : { slug }) };
      const page = await send(createStatusPage, { params: { org_id: orgId }, body });
      await navigate({
        to: '/o/$orgId/status-pages/$pageId',
        params: { orgId, pageId: page.id },
        replace: true,
      });
    });

  return (
    <>
      <PageHead
        title={t('statusPages.new')}
        above={
          <BackLink to="/o/$orgId/status-pages" params={{ orgId }}>
            {t('statusPages.title')}
          </BackLink>
        }
        below={t('statusPages.newLead')}
      />
      <form
        className={`${styles.stack} ${own.form}`}
        onSubmit={form.onSubmit((values) => void create(values))}
        noValidate
      >
        <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
        <Refused write={write} />
        <TextInput
          data-autofocus
          label={t('statusPages.name')}
          description={t('statusPages.nameHint')}
          placeholder={t('statusPages.namePlaceholder')}
          maxLength={200}
          {...form.getInputProps('name')}
          onChange={(event) => {
            const name = event.currentTarget.value;
            form.setFieldValue('name', name);
            if (!ownSlug) form.setFieldValue('slug', slugFrom(name));
          }}
        />
        <TextInput
          label={t('statusPages.slug')}
          description={
            slug === '' ? t('statusPages.slugHint') : <span className="mono">{pageAddress(slug)}</span>
          }
          classNames={{ input: 'mono' }}
          spellCheck={false}
          autoCapitalize="none"
          maxLength={200}
          {...form.getInputProps('slug')}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setOwnSlug(typed !== '');
            form.setFieldValue('slug', typed);
          }}
        />
        <FormActions
          submit={t('statusPages.create')}
          busy={write.busy}
          onCancel={() => void navigate({ to: '/o/$orgId/status-pages', params: { orgId } })}
        />
      </form>
    </>
  );
}
