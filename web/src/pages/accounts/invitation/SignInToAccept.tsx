import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './Invitation.module.css';

/** The invited address has an account: leads to the sign-in page and back. */
export function SignInToAccept({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.text}>{t('invitation.haveAccount')}</p>
      <Button
        size="md"
        renderRoot={(props) => (
          <Link to="/sign-in" search={{ back: '/invitation' }} state={{ email }} {...props} />
        )}
      >
        {t('invitation.signIn')}
      </Button>
    </>
  );
}
