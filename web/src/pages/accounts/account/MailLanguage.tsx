import { SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Me, updateMe } from '#src/accounts/contract.ts';
import { LANGUAGES, type Language } from '#web/i18n/languages.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProfileSection.module.css';

const AS_ORGANIZATION = 'organization';

/** The language of mails and push messages, saved on change. */
export function MailLanguage({ me }: { me: Me }) {
  const { t } = useTranslation();
  const id = useId();
  const write = useWrite();

  const choose = (value: string) =>
    write.run(() =>
      send(updateMe, { body: { language: value === AS_ORGANIZATION ? null : (value as Language) } }, () =>
        notifications.show({ color: 'green', message: t('security.profile.mailLanguageSaved') }),
      ),
    );

  return (
    <div className={styles.choices}>
      <Refused write={write} />
      <div className={styles.choice}>
        <span id={id}>{t('security.profile.mailLanguage')}</span>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby={id}
          value={me.language ?? AS_ORGANIZATION}
          disabled={write.busy}
          onChange={(value) => void choose(value)}
          data={[
            { value: AS_ORGANIZATION, label: t('security.profile.asOrganization') },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      <p className={styles.hint}>{t('security.profile.mailLanguageHint')}</p>
    </div>
  );
}
