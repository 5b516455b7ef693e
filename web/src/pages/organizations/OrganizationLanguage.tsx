import { SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Organization, renameOrganization } from '#src/organizations/contract.ts';
import { LANGUAGES, type Language } from '#web/i18n/languages.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './GeneralPage.module.css';

/** The language of an organization's chat messages, saved on change. */
export function OrganizationLanguage({
  organization,
  mayChange,
}: {
  organization: Organization;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  const id = useId();
  const write = useWrite();

  const choose = (language: Language) =>
    write.run(() =>
      send(renameOrganization, { params: { org_id: organization.id }, body: { language } }, () =>
        notifications.show({ message: t('settings.languageSaved') }),
      ),
    );

  return (
    <div>
      <p className={styles.label} id={id}>
        {t('settings.language')}
      </p>
      <Refused write={write} />
      <SegmentedControl
        size="sm"
        aria-labelledby={id}
        value={organization.language}
        disabled={!mayChange || write.busy}
        onChange={(value) => void choose(value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <p className={styles.hint}>{t('settings.languageHint')}</p>
    </div>
  );
}
