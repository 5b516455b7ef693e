import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/call.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { PasswordField } from '../PasswordField.tsx';

type Props = {
  email: string;
  text: ReactNode;
  confirm: string;
  danger?: boolean;
  /** More specific words for some refusals; undefined: the usual ones. */
  words?: (error: unknown) => string | undefined;
  onConfirm: (password: string) => Promise<void>;
  onCancel: () => void;
};

const isWrong = (error: unknown) =>
  error instanceof ApiError && (error.reason === 'invalid_password' || error.field === 'password');

/** Asks for the password before an operation that an unattended session must not allow. */
export function PasswordStep({ email, text, confirm, danger = false, words, onConfirm, onCancel }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ ...(words && { words }) });
  const [password, setPassword] = useState('');
  const wrong = isWrong(write.error);

  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (password !== '') void write.run(() => onConfirm(password));
      }}
    >
      {typeof text === 'string' ? <p>{text}</p> : text}
      {wrong ? null : <Refused write={write} />}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        data-autofocus
        label={t('security.yourPassword')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrong ? t('errors.reasons.invalid_password') : null}
      />
      <FormActions
        submit={confirm}
        variant={danger ? 'danger' : 'filled'}
        disabled={password === '' || write.waitSeconds > 0}
        busy={write.busy}
        onCancel={onCancel}
      />
    </form>
  );
}
