// A change of many things in several requests, any of which may fail. Pure.

/** What the parts answered until one failed; `failure`: why it did, null if none has. */
export type Parts<Answer> = { answers: Answer[]; failure: { why: unknown } | null };

/** Sends `all` in parts of `size`, one after the other. `sendPart` receives what is left, of which the first `size` are the part. */
export async function inParts<Thing, Answer>(
  all: readonly Thing[],
  size: number,
  sendPart: (left: readonly Thing[], before: number) => Promise<readonly Answer[]>,
): Promise<Parts<Answer>> {
  const answers: Answer[] = [];
  for (let at = 0; at < all.length; at += size) {
    try {
      answers.push(...(await sendPart(all.slice(at), at)));
    } catch (why) {
      return { answers, failure: { why } };
    }
  }
  return { answers, failure: null };
}
