import { useTranslation } from 'react-i18next';
import { ROLES } from '#src/domain/names.ts';

import { useFormats } from '#web/format.ts';
import styles from './Invitation.module.css';
import type { InvitationOpened } from './use-accept.ts';

/** Who invites whom, in which role, and until when. */
export function InvitationCard({ invitation }: { invitation: InvitationOpened }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const role = ROLES.find((each) => each === invitation.role);
  return (
    <dl className={styles.what}>
      {invitation.invited_by === null ? null : (
        <>
          <dt>{t('invitation.by')}</dt>
          <dd>{invitation.invited_by}</dd>
        </>
      )}
      <dt>{t('invitation.for')}</dt>
      <dd>{invitation.email}</dd>
      <dt>{t('invitation.as')}</dt>
      <dd>
        {role === undefined ? invitation.role : t(`roles.${role}`)}
        {role === undefined ? null : <span className={styles.may}>{t(`roleWords.${role}`)}</span>}
      </dd>
      <dt>{t('invitation.until')}</dt>
      <dd>{formats.moment(invitation.expires_at_unix)}</dd>
    </dl>
  );
}
