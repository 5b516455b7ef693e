import { useEffect, useRef, useState } from 'react';
import { setSilentUntil, useLoudAlarm, useSilentUntil } from './device.ts';
import { useOneTab, useRingsInSomeTab } from './one-tab.ts';
import { holdSound, openAtFirstGesture, ring, useAudible } from './sound.ts';

/**
 * How it stands with the sound of this tab: `sounding` here, `elsewhere` in another tab of this browser, `silent` for a
 * while, `off` by choice, `blocked` by the browser until somebody clicks, `idle` while nothing rings or it is about to.
 */
export type BellState = 'idle' | 'sounding' | 'elsewhere' | 'silent' | 'off' | 'blocked';

/** How long the silence of this browser lasts. */
const SILENCE_MS = 5 * 60_000;
/** How long it may take until it is clear who rings. */
const DECIDED_MS = 900;

/** Rings while something does. */
export function useBell(ringing: boolean): BellState {
  const loud = useLoudAlarm();
  const silentUntilMs = useSilentUntil();
  const isSilent = useIsBefore(silentUntilMs);
  const audible = useAudible();
  const wanted = ringing && loud && !isSilent;

  useEffect(() => (loud ? openAtFirstGesture() : undefined), [loud]);
  useEffect(() => (wanted ? holdSound() : undefined), [wanted]);
  const soundsInTab = useOneTab(wanted && audible);
  const inSomeTab = useRingsInSomeTab(wanted && !soundsInTab);
  useEffect(() => (soundsInTab ? ring() : undefined), [soundsInTab]);
  const isDecided = useIsDecided(wanted);

  // A silence is for what rang when it was asked for: what comes after all that has ended is heard again.
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

/** Has this browser silent for five minutes, on this device only; false ends it. */
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

/** Whether a moment is still to come, kept current. */
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
