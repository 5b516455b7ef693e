import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { signOut } from '#web/session.ts';
import form from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import styles from './Invitation.module.css';

type Props = { user: { email: string }; email: string; onSignedOut: () => void };

/** Another person is signed in, and an invitation is bound to its address. */
export function WrongAccount({ user, email, onSignedOut }: Props) {
  const { t } = useTranslation();
  const write = useWrite();
  return (
    <div className={form.stack}>
      <p className={styles.text}>{t('invitation.somebodyElse', { signedIn: user.email, email })}</p>
      <Refused write={write} />
      <Button
        size="md"
        loading={write.busy}
        onClick={() =>
          void write.run(async () => {
            await signOut();
            onSignedOut();
          })
        }
      >
        {t('invitation.signOut')}
      </Button>
      <Button component={Link} to="/" variant="default" size="md">
        {t('invitation.stay')}
      </Button>
    </div>
  );
}
