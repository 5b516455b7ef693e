// A browser that hears: everything that a page sends to the sound card is listened to on the way.
import type { BrowserContext, Page } from 'playwright-core';
import { until } from './until.ts';

/** Runs in the page before anything else; an analyser tells what a loudspeaker would have been given. */
const EARS = `(() => {
  const ears = [];
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to instanceof AudioDestinationNode) {
      const ear = new AnalyserNode(to.context, { fftSize: 32768 });
      connect.call(this, ear);
      ears.push(ear);
    }
    return connect.call(this, to, ...rest);
  };
  window.heardPeak = () => Math.max(0, ...ears.filter((ear) => ear.context.state === 'running').map((ear) => {
    const samples = new Float32Array(ear.fftSize);
    ear.getFloatTimeDomainData(samples);
    return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  }));
})()`;

/** Gives ears to every page of a context that is opened from now on. */
export async function giveEars(context: BrowserContext): Promise<void> {
  await context.addInitScript(EARS);
}

/** The loudest moment of the last 0.7 seconds, from 0 to 1. */
export const loudness = (page: Page): Promise<number> => page.evaluate<number>('heardPeak()');

export const hears = (page: Page, what: string): Promise<void> =>
  until(async () => (await loudness(page)) > 0.01, `${what} is heard`);

export const hearsNothing = (page: Page, what: string): Promise<void> =>
  until(async () => (await loudness(page)) === 0, `${what}: silence`);
