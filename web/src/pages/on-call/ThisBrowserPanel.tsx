import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LoudAlarmSwitch } from '#web/alarm/LoudAlarmSwitch.tsx';
import { PushSwitch } from '#web/alarm/PushSwitch.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './ThisBrowserPanel.module.css';

/** How the reader is reached in the browser they sit at. */
export function ThisBrowserPanel() {
  const { t } = useTranslation();
  return (
    <Panel title={t('onCall.browser.title')}>
      <div className={styles.parts}>
        <LoudAlarmSwitch />
        <PushSwitch />
        <Link to="/account" hash="push" className={styles.all}>
          {t('onCall.browser.all')}
        </Link>
      </div>
    </Panel>
  );
}
