// Whether this page may play sound. Browsers allow it only after a click or a key press on the page. The first one unlocks
// audio, so that an alarm hours later is heard.
import { useSyncExternalStore } from 'react';
import { startBell } from './bell.ts';

/** How long unlocking may take. A browser that forbids it neither resolves nor rejects. */
const PATIENCE_MS = 400;
/** The last stroke fades out before the audio device is released. */
const FADE_MS = 400;
const TEST_MS = 2_000;
/** The test is as loud as an alarm that has rung for a while. */
const TEST_FROM_ROUND = 9;

let context: AudioContext | undefined;
let holders = 0;
let audible = false;
const readers = new Set<() => void>();

function updateAudible(): void {
  const now = context?.state === 'running';
  if (now === audible) return;
  audible = now;
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Tries to unlock audio; true if it is unlocked. Allowed in a user gesture. */
async function open(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  if (context === undefined) {
    context = new AudioContext();
    context.addEventListener('statechange', updateAudible);
  }
  await Promise.race([
    context.resume().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  updateAudible();
  return audible;
}

/** Tries to keep audio unlocked. The returned function releases the audio device once nobody else needs it. */
export function keepAudioUnlocked(): () => void {
  holders += 1;
  void open();
  return () => {
    holders -= 1;
    setTimeout(() => {
      if (holders === 0) void context?.suspend().then(updateAudible);
    }, FADE_MS);
  };
}

/** Tries once more; call it in a user gesture. */
export async function enableSound(): Promise<void> {
  await open();
}

/** Whether this page can play sound now; false while nobody holds the audio device. */
export function useAudible(): boolean {
  return useSyncExternalStore(subscribe, () => audible);
}

/** Rings on this page until the returned function is called. Audio must be held and unlocked. */
export function ring(): () => void {
  return context === undefined ? () => undefined : startBell(context);
}

/** Plays the bell for two seconds; false if the browser forbids it. Call it in a user gesture. */
export async function testBell(): Promise<boolean> {
  const release = keepAudioUnlocked();
  try {
    if (!(await open()) || context === undefined) return false;
    const stop = startBell(context, TEST_FROM_ROUND);
    await new Promise((resolve) => setTimeout(resolve, TEST_MS));
    stop();
    return true;
  } finally {
    release();
  }
}

/** Unlocks audio on the first user gesture on the page. Returns a function that stops waiting for one. */
export function unlockOnFirstGesture(): () => void {
  const gestures = ['pointerup', 'keydown'] as const;
  async function opened(): Promise<void> {
    const release = keepAudioUnlocked();
    if (await open()) stop();
    release();
  }
  const onGesture = () => void opened();
  const stop = () => {
    for (const gesture of gestures) document.removeEventListener(gesture, onGesture, true);
  };
  for (const gesture of gestures) document.addEventListener(gesture, onGesture, true);
  return stop;
}
