import { Outlet } from '@tanstack/react-router';
import { LoudAlarm } from './LoudAlarm.tsx';

/** Every page of somebody who is signed in: the alarm finds them wherever they are. */
export function SignedIn() {
  return (
    <>
      <LoudAlarm />
      <Outlet />
    </>
  );
}
