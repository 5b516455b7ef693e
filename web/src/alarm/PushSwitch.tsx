import { Alert, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../call.ts';
import { useRefusalSentence } from '../ui/refusal-sentence.ts';
import { usePushState, useSwitchPush } from './push-state.ts';
import styles from './Switches.module.css';

/**
 * Turns on web push in this browser, so that alarms arrive while the dashboard is closed. The browser then asks for
 * permission.
 */
export function PushSwitch() {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const state = usePushState();
  const change = useSwitchPush();
  const possible = state === 'on' || state === 'off';
  return (
    <div className={styles.part}>
      <Switch
        label={t('push.switch')}
        description={t(state === 'unsupported' ? 'push.unsupported' : 'push.switchHint')}
        checked={state === 'on'}
        disabled={!possible || change.busy}
        onChange={(event) => void change.turn(event.currentTarget.checked)}
      />
      {state === 'to_install' ? (
        <div className={styles.install}>
          <p>{t('push.install.why')}</p>
          <ol>
            <li>{t('push.install.share')}</li>
            <li>{t('push.install.add')}</li>
            <li>{t('push.install.open')}</li>
          </ol>
        </div>
      ) : null}
      {state === 'blocked' ? <p className={styles.blocked}>{t('push.blocked')}</p> : null}
      {change.error !== null && state !== 'blocked' ? (
        <Alert color="red" role="alert">
          {change.error instanceof ApiError ? sentence(change.error) : t('push.failed')}
        </Alert>
      ) : null}
    </div>
  );
}
