import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Palettes } from '../palette/Palettes.tsx';
import { FirstProofBanner } from './FirstProofBanner.tsx';
import { LoudAlarm } from './LoudAlarm.tsx';
import { OperatorProblems } from './OperatorProblems.tsx';
import { Reauthenticate } from './Reauthenticate.tsx';
import { ResultsPaused } from './ResultsPaused.tsx';

/** Wraps every signed-in page, so that alarms appear on all of them. */
export function SignedIn() {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <LoudAlarm />
      <Reauthenticate />
      <ResultsPaused />
      <OperatorProblems />
      <FirstProofBanner />
      <Outlet />
      <Palettes />
    </>
  );
}
