// Sends an export while it is written: nothing is held but what the reader has not taken yet.
import { PassThrough, Writable } from 'node:stream';
import { exportOrganization } from './export.ts';
import { LINES_FILE } from './format.ts';

/** A reader that takes nothing for so long is gone; it holds a snapshot of the database. */
export const STALL_MS = 60_000;
/** A slow reader must not hold the snapshot for hours: the database cleans up nothing that it still shows. */
export const LONGEST_MS = 30 * 60_000;

/** Held of each export, twice or three times. */
const BUFFERED_BYTES = 16 * 1024;

export type Download = {
  /** Ends with an error where the export failed, or was given up. */
  body: PassThrough;
  /** Resolves with the first line; rejects where there will be none. */
  begun: Promise<void>;
  /** Resolves when it is over; rejects with what it failed of. */
  done: Promise<void>;
};

type Options = Omit<Parameters<typeof exportOrganization>[0], 'file' | 'progress' | 'signal'>;

export function startDownload(
  options: Options,
  { stallMs = STALL_MS, longestMs = LONGEST_MS } = {},
): Download {
  const body = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  // Whoever reads it hears of an error; nobody may be reading yet.
  body.on('error', () => undefined);
  const { promise: first, resolve: begin } = Promise.withResolvers<void>();
  const giveUp = (why: string) => body.destroy(new Error(why));
  const longest = setTimeout(() => giveUp('the export took too long'), longestMs);

  const out = new Writable({
    highWaterMark: BUFFERED_BYTES,
    write(chunk: Buffer, _encoding, accept) {
      if (body.destroyed) return accept(new Error('nobody reads the export any more'));
      begin();
      if (body.write(chunk)) return accept();
      const stalled = setTimeout(() => giveUp('nobody took any of the export for a minute'), stallMs);
      const goOn = () => {
        clearTimeout(stalled);
        body.off('drain', goOn).off('close', goOn);
        accept(body.destroyed ? new Error('nobody reads the export any more') : null);
      };
      body.once('drain', goOn).once('close', goOn);
    },
  });
  // Its writer hears of it by the call that fails.
  out.on('error', () => undefined);

  const done = exportOrganization({
    ...options,
    // The tables for spreadsheets are made from the same lines, and the dashboard has them as reports.
    file: async (name, write) => (name === LINES_FILE ? write(out) : undefined),
  })
    // Only now: whoever has read the end may begin another one.
    .then(() => void body.end())
    .catch((error: Error) => {
      body.destroy(error);
      throw error;
    })
    .finally(() => clearTimeout(longest));
  done.catch(() => undefined);
  return { body, begun: Promise.race([first, done]), done };
}
