// Whether this page may make sound. Browsers allow it only after somebody has clicked or typed on the page; the first
// time that happens the way is opened, so that a ring hours later is heard.
import { useSyncExternalStore } from 'react';
import { startBell } from './bell.ts';

/** How long opening the way may take: where a browser forbids it, it neither agrees nor refuses. */
const PATIENCE_MS = 400;
/** The last stroke fades before the sound card is given back. */
const FADE_MS = 400;
const TEST_MS = 2_000;
/** The test is as loud as a ring that nobody has heard for a while. */
const TEST_FROM_ROUND = 9;

let context: AudioContext | undefined;
let holders = 0;
let audible = false;
const readers = new Set<() => void>();

function look(): void {
  const now = context?.state === 'running';
  if (now === audible) return;
  audible = now;
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Opens the way for sound, or tries to; true when it is open. In a gesture it is allowed. */
async function open(): Promise<boolean> {
  if (typeof AudioContext === 'undefined') return false;
  if (context === undefined) {
    context = new AudioContext();
    context.addEventListener('statechange', look);
  }
  await Promise.race([
    context.resume().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  look();
  return audible;
}

/** Keeps the way for sound open, or tries to; the returned function gives the sound card back when nobody else needs it. */
export function holdSound(): () => void {
  holders += 1;
  void open();
  return () => {
    holders -= 1;
    setTimeout(() => {
      if (holders === 0) void context?.suspend().then(look);
    }, FADE_MS);
  };
}

/** Tries once more; call it in a gesture. */
export async function turnSoundOn(): Promise<void> {
  await open();
}

/** Whether sound can be heard from this page at the moment; false while nobody holds it. */
export function useAudible(): boolean {
  return useSyncExternalStore(subscribe, () => audible);
}

/** Rings on this page until the returned function is called. Sound must be held and audible. */
export function ring(): () => void {
  return context === undefined ? () => undefined : startBell(context);
}

/** Lets the bell be heard for two seconds; false where the browser forbids it. Call it in a gesture. */
export async function testBell(): Promise<boolean> {
  const release = holdSound();
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

/** Opens the way at the first gesture on the page, whatever it was for. Returns the function that no longer waits for one. */
export function openAtFirstGesture(): () => void {
  const gestures = ['pointerup', 'keydown'] as const;
  async function opened(): Promise<void> {
    const release = holdSound();
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
