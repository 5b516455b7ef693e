import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation, type Me } from '#src/accounts/contract.ts';
import { read } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { EnrolTwoFactor } from './EnrolTwoFactor.tsx';
import { NewRecoveryCodes } from './NewRecoveryCodes.tsx';
import { Section, State } from './Section.tsx';
import { TurnOffTwoFactor } from './TurnOffTwoFactor.tsx';

/** Two-factor sign-in: new recovery codes while it is on, enrolment while it is off. */
export function TwoFactorSection({ me }: { me: Me }) {
  const { t } = useTranslation();
  const provider = useQuery(read(getInstallation, {})).data?.oidc?.name;
  const [dialog, setDialog] = useState<'enrol' | 'codes' | 'off' | null>(null);
  const close = () => setDialog(null);
  const on = me.two_factor_enabled;
  return (
    <Section
      name="two-factor"
      title={t('security.two-factor.title')}
      lead={t('security.two-factor.lead')}
      state={<State on={on}>{t(on ? 'security.two-factor.on' : 'security.two-factor.off')}</State>}
    >
      {!me.has_password ? (
        <p>{t('security.two-factor.noPassword', { name: provider ?? 'OpenID' })}</p>
      ) : (
        <>
          <p>{t(on ? 'security.two-factor.onText' : 'security.two-factor.offText')}</p>
          <div className={styles.actions}>
            {on ? (
              <>
                <Button variant="default" onClick={() => setDialog('codes')}>
                  {t('security.two-factor.newCodes')}
                </Button>
                <Button variant="danger" onClick={() => setDialog('off')}>
                  {t('security.two-factor.turnOff')}
                </Button>
              </>
            ) : (
              <Button onClick={() => setDialog('enrol')}>{t('security.two-factor.turnOn')}</Button>
            )}
          </div>
        </>
      )}
      {dialog === 'enrol' ? <EnrolTwoFactor email={me.email} onClose={close} /> : null}
      {dialog === 'codes' ? <NewRecoveryCodes email={me.email} onClose={close} /> : null}
      {dialog === 'off' ? <TurnOffTwoFactor email={me.email} onClose={close} /> : null}
    </Section>
  );
}
