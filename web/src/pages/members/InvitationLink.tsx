import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invitation } from '#src/members/contract.ts';
import { useFormats } from '#web/format.ts';
import { CopyField } from '#web/ui/CopyField.tsx';
import styles from '#web/ui/Form.module.css';

type Props = { invitation: Invitation; token: string; onDone: () => void };

/** The link of an invitation when no mail can be sent. The part behind the # never reaches a server's log. */
export function InvitationLink({ invitation, token, onDone }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  // The form that had the focus is gone. Not the button below: a second Enter would close what is shown only once.
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.querySelector('input')?.focus(), []);
  const until = formats.moment(invitation.expires_at_unix);
  return (
    <div className={styles.stack} ref={shown}>
      <p>{t('invitations.linkText', { email: invitation.email, until })}</p>
      <CopyField label={t('invitations.link')} value={`${location.origin}/app/invitation#token=${token}`} />
      <div className={styles.actions}>
        <Button onClick={onDone}>{t('invitations.linkKept')}</Button>
      </div>
    </div>
  );
}
