import { Button, Switch } from '@mantine/core';
import { IconVolume } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../use-write.ts';
import { setLoudAlarm, useLoudAlarm } from './device.ts';
import styles from './Switches.module.css';
import { testBell } from './sound.ts';

/** Switches the sound of alarms in this browser, and plays it as a test. A click also permits the browser to play sound. */
export function LoudAlarmSwitch() {
  const { t } = useTranslation();
  const loud = useLoudAlarm();
  const test = useWrite<boolean>();
  return (
    <div className={styles.part}>
      <Switch
        label={t('loudAlarm.switch')}
        description={t('loudAlarm.switchHint')}
        checked={loud}
        onChange={(event) => setLoudAlarm(event.currentTarget.checked)}
      />
      <div className={styles.below}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconVolume size={15} />}
          loading={test.busy}
          onClick={() => void test.run(testBell)}
        >
          {t('loudAlarm.test')}
        </Button>
        <span className={styles.said} role="status">
          {test.reply === undefined ? null : t(test.reply ? 'loudAlarm.tested' : 'loudAlarm.testBlocked')}
        </span>
      </div>
    </div>
  );
}
