import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Palettes } from '../palette/Palettes.tsx';
import { FirstProofBanner } from './FirstProofBanner.tsx';
import { LoudAlarm } from './LoudAlarm.tsx';
import { ProveAgain } from './ProveAgain.tsx';
import { ResultsPaused } from './ResultsPaused.tsx';
import { Troubles } from './Troubles.tsx';

/** Every page of somebody who is signed in: the alarm finds them wherever they are. */
export function SignedIn() {
  const { t } = useTranslation();
  return (
    <>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <LoudAlarm />
      <ProveAgain />
      <ResultsPaused />
      <Troubles />
      <FirstProofBanner />
      <Outlet />
      <Palettes />
    </>
  );
}
