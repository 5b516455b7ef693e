import { useEffect, useRef, useState } from 'react';
import { setSilentUntil, useLoudAlarm, useSilentUntil } from './device.ts';
import { useIsRingingTab, useRingsInSomeTab } from './one-tab.ts';
import { keepAudioUnlocked, ring, unlockOnFirstGesture, useAudible } from './sound.ts';

/**
 * The state of sound in this tab: `sounding` in this tab, `elsewhere` in another tab of this browser, `silent` while muted,
 * `off` by choice, `blocked` by the browser until a click, `idle` while nothing rings or the sound is about to start.
 */
export type BellState = 'idle' | 'sounding' | 'elsewhere' | 'silent' | 'off' | 'blocked';

/** How long a mute of this browser lasts. */
const SILENCE_MS = 5 * 60_000;
/** How long it may take until the tabs have settled who rings. */
const DECIDED_MS = 900;

/** Rings while anything does. */
export function useBell(ringing: boolean): BellState {
  const loud = useLoudAlarm();
  const silentUntilMs = useSilentUntil();
  const isSilent = useIsBefore(silentUntilMs);
  const audible = useAudible();
  const wanted = ringing && loud && !isSilent;

  useEffect(() => (loud ? unlockOnFirstGesture() : undefined), [loud]);
  useEffect(() => (wanted ? keepAudioUnlocked() : undefined), [wanted]);
  const soundsInTab = useIsRingingTab(wanted && audible);
  const inSomeTab = useRingsInSomeTab(wanted && !soundsInTab);
  useEffect(() => (soundsInTab ? ring() : undefined), [soundsInTab]);
  const isDecided = useIsDecided(wanted);

  // A mute covers what rang when it was set. Once all of that has ended, new alarms sound again.
  const wasRinging = useRef(false);
  useEffect(() => {
    if (wasRinging.current && !ringing) setSilentUntil(0);
    wasRinging.current = ringing;
  }, [ringing]);

  if (!ringing) return 'idle';
  if (!loud) return 'off';
  if (isSilent) return 'silent';
  if (soundsInTab) return 'sounding';
  if (inSomeTab) return 'elsewhere';
  return isDecided ? 'blocked' : 'idle';
}

/** Mutes this browser for five minutes, on this device only; false unmutes it. */
export function silenceBrowser(silent: boolean): void {
  setSilentUntil(silent ? Date.now() + SILENCE_MS : 0);
}

function useIsDecided(wanted: boolean): boolean {
  const [isDecided, setIsDecided] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    const timer = setTimeout(() => setIsDecided(true), DECIDED_MS);
    return () => {
      clearTimeout(timer);
      setIsDecided(false);
    };
  }, [wanted]);
  return isDecided;
}

/** Whether a moment is in the future, kept current. */
function useIsBefore(ms: number): boolean {
  const [, again] = useState(0);
  useEffect(() => {
    const left = ms - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => again((n) => n + 1), left + 50);
    return () => clearTimeout(timer);
  }, [ms]);
  return ms > Date.now();
}
