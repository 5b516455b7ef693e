import { useTranslation } from 'react-i18next';
import { LoudAlarmSwitch } from '#web/alarm/LoudAlarmSwitch.tsx';
import { MyBrowsers } from '#web/alarm/MyBrowsers.tsx';
import { PushSwitch } from '#web/alarm/PushSwitch.tsx';
import { usePushState } from '#web/alarm/push-state.ts';
import { Section, State } from './Section.tsx';

/** How the person is paged: sound and push in this browser, and push in their other browsers. */
export function PushSection() {
  const { t } = useTranslation();
  const state = usePushState();
  return (
    <Section
      name="push"
      title={t('security.push.title')}
      lead={t('security.push.lead')}
      state={
        state === undefined ? null : (
          <State on={state === 'on'}>{t(state === 'on' ? 'security.push.on' : 'security.push.off')}</State>
        )
      }
    >
      <LoudAlarmSwitch />
      <PushSwitch />
      <MyBrowsers />
    </Section>
  );
}
