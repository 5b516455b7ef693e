import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createApiKey } from '#src/api-keys/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import stack from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ApiKeys.module.css';
import { ExpiryFields } from './ExpiryFields.tsx';
import { expiresAt } from './expiry.ts';
import { type KeyValues, NEW_KEY } from './key-values.ts';
import { ResourceFields } from './ResourceFields.tsx';
import { ScopeGrid } from './ScopeGrid.tsx';
import { scopesOf } from './scopes.ts';

const ACCESS = 'key-access';

type Made = ReplyOf<typeof createApiKey>;

/** Name, scopes, reach and expiry of a new key. */
export function KeyForm({ onMade }: { onMade: (made: Made) => void }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const now = useNow();
  const form = useForm<KeyValues>({
    initialValues: NEW_KEY,
    validate: {
      name: (value) => (value.trim() === '' ? t('keys.nameNeeded') : null),
      levels: (value) => (scopesOf(value).length === 0 ? t('keys.scopesNeeded') : null),
      projects: (value, { reach, monitors }) =>
        reach === 'chosen' && value.length + monitors.length === 0 ? t('keys.reachNeeded') : null,
      date: (value, { expiry }) =>
        expiresAt(expiry, value, now) === undefined ? t('keys.dateNeeded') : null,
    },
  });

  const write = useWrite({ show: atFields(form) });

  function create(values: KeyValues) {
    const { projects, monitors } = values.reach === 'chosen' ? values : { projects: [], monitors: [] };
    const body = {
      name: values.name.trim(),
      scopes: scopesOf(values.levels),
      expires_at_unix: expiresAt(values.expiry, values.date, now) ?? null,
      ...(projects.length === 0 ? {} : { project_ids: projects }),
      ...(monitors.length === 0 ? {} : { monitor_ids: monitors }),
    };
    return write.run(() => send(createApiKey, { params: { org_id: orgId }, body }, onMade));
  }

  /** The form is taller than a phone, so the first invalid field may be out of sight. */
  function leadTo(errors: typeof form.errors) {
    const [field = ''] = Object.keys(errors);
    const node = field === 'levels' ? document.getElementById(ACCESS) : form.getInputNode(field);
    node?.scrollIntoView({ block: 'center' });
    if (field !== 'levels') node?.focus({ preventScroll: true });
  }

  return (
    <form
      className={styles.form}
      onSubmit={form.onSubmit((values) => void create(values), leadTo)}
      noValidate
    >
      <TextInput
        autoFocus
        label={t('keys.name')}
        placeholder={t('keys.namePlaceholder')}
        description={t('keys.nameHint')}
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <div id={ACCESS}>
        <ScopeGrid
          value={form.values.levels}
          onChange={(levels) => form.setFieldValue('levels', levels)}
          error={form.errors.levels}
        />
      </div>
      <Panel title={t('keys.reach')}>
        <ResourceFields form={form} />
      </Panel>
      <Panel title={t('keys.expiry')}>
        <ExpiryFields form={form} />
      </Panel>
      {/* Also while it is made: who leaves would never see it. */}
      <UnsavedGuard isDirty={form.isDirty()} />
      <Refused write={write} />
      <div className={stack.actions}>
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/o/$orgId/settings/api-keys" params={{ orgId }} />}
        >
          {t('ui.cancel')}
        </Button>
        <Button type="submit" loading={write.busy}>
          {t('keys.create')}
        </Button>
      </div>
    </form>
  );
}
