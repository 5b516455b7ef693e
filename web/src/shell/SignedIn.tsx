import { Outlet } from '@tanstack/react-router';
import { LoudAlarm } from './LoudAlarm.tsx';
import { ProveAgain } from './ProveAgain.tsx';

/** Every page of somebody who is signed in: the alarm finds them wherever they are. */
export function SignedIn() {
  return (
    <>
      <LoudAlarm />
      <ProveAgain />
      <Outlet />
    </>
  );
}
