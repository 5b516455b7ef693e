import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Me, updateMe } from '#src/accounts/contract.ts';
import { ShortcutsSwitch } from '#web/palette/ShortcutsSwitch.tsx';
import { AppearanceChoice } from '#web/shell/AppearanceChoice.tsx';
import { LanguageChoice } from '#web/shell/LanguageChoice.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { MailLanguage } from './MailLanguage.tsx';
import styles from './ProfileSection.module.css';
import { Section } from './Section.tsx';

/** The person's name, address, and appearance of the dashboard. */
export function ProfileSection({ me }: { me: Me }) {
  const { t } = useTranslation();
  const ids = { language: useId(), appearance: useId() };
  const form = useForm({
    initialValues: { name: me.name },
    validate: { name: (value) => (value.trim() === '' ? t('accounts.nameNeeded') : null) },
  });

  const write = useWrite({ show: atFields(form) });

  const save = ({ name }: { name: string }) =>
    write.run(() =>
      send(updateMe, { body: { name: name.trim() } }, (saved) => {
        form.setInitialValues({ name: saved.name });
        if (form.getValues().name === name) form.setValues({ name: saved.name });
        notifications.show({ color: 'green', message: t('security.profile.saved') });
      }),
    );

  return (
    <Section name="profile" title={t('security.profile.title')} lead={t('security.profile.lead')}>
      <form className={styles.form} onSubmit={form.onSubmit((values) => void save(values))} noValidate>
        <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
        <Refused write={write} />
        <div className={styles.pair}>
          <TextInput label={t('security.profile.name')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t('accounts.email')}
            description={t('security.profile.emailFixed')}
            value={me.email}
            readOnly
            variant="filled"
            classNames={{ input: styles.fixed }}
          />
        </div>
        <div className={styles.save}>
          <Button type="submit" loading={write.busy} disabled={!form.isDirty() || write.waitSeconds > 0}>
            {t('security.profile.save')}
          </Button>
        </div>
      </form>
      <MailLanguage me={me} />
      <div className={styles.choices}>
        <div className={styles.choice}>
          <span id={ids.language}>{t('shell.language')}</span>
          <LanguageChoice labelledBy={ids.language} />
        </div>
        <div className={styles.choice}>
          <span id={ids.appearance}>{t('shell.appearance.label')}</span>
          <AppearanceChoice labelledBy={ids.appearance} />
        </div>
        <div className={styles.wide}>
          <ShortcutsSwitch />
        </div>
        <p className={styles.hint}>{t('security.profile.inThisBrowser')}</p>
      </div>
    </Section>
  );
}
