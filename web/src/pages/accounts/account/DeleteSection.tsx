import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '#src/accounts/contract.ts';
import styles from '#web/ui/Form.module.css';
import { DeleteAccount } from './DeleteAccount.tsx';
import { Section } from './Section.tsx';

/** The section for deleting the account. */
export function DeleteSection({ me }: { me: Me }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Section name="delete" title={t('security.delete.title')} lead={t('security.delete.lead')}>
      <p>{t('security.delete.text')}</p>
      <div className={styles.actions}>
        <Button variant="danger" onClick={() => setOpened(true)}>
          {t('security.delete.button')}
        </Button>
      </div>
      {opened ? <DeleteAccount me={me} onClose={() => setOpened(false)} /> : null}
    </Section>
  );
}
