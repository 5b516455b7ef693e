// The sound that a browser plays, measured on its way to the sound card.
import type { BrowserContext, Page } from 'playwright-core';
import { until } from './until.ts';

/** Runs in the page before anything else; an analyser receives the sound of a loudspeaker. */
const RECORD_SOUND = `(() => {
  const analysers = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) {
      const analyser = new AnalyserNode(to.context, { fftSize: 32768 });
      connect.call(this, analyser);
      analysers.push(analyser);
    }
    return connect.call(this, to, ...rest);
  };
  window.peakOfSound = () => Math.max(0, ...analysers.filter((each) => each.context.state === 'running').map((each) => {
    const samples = new Float32Array(each.fftSize);
    each.getFloatTimeDomainData(samples);
    return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  }));
})()`;

/** Measures the sound of every page of the context that is opened from now on. */
export async function recordSound(context: BrowserContext): Promise<void> {
  await context.addInitScript(RECORD_SOUND);
}

/** The loudest moment of the last 0.7 seconds, from 0 to 1. */
export const volume = (page: Page): Promise<number> => page.evaluate<number>('peakOfSound()');

export const untilAudible = (page: Page, what: string): Promise<void> =>
  until(async () => (await volume(page)) > 0.01, `${what} is heard`);

export const untilSilent = (page: Page, what: string): Promise<void> =>
  until(async () => (await volume(page)) === 0, `${what}: silence`);
