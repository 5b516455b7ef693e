// What was measured, each with its command; docs/performance.md has the tables. Whoever measures anew changes a line here.

/** Milliseconds of a core per HTTP check, server and database together (`npm run bench -- checks`). */
export const SERVER_MS_PER_CHECK = 0.044;
/** Milliseconds of a core per HTTP check in the probe (`npm run bench -- checks`). */
export const PROBE_MS_PER_CHECK = 0.223;
/** Milliseconds of a core to roll up a check: 22 s a day for 4.32 million (`npm run bench -- bytes`). */
export const ROLL_UP_MS_PER_CHECK = 0.0051;

/** Bytes of a single check on disk while it is a row, with its index (`npm run bench -- bytes`). */
export const ROW_BYTES_PER_CHECK = 111;
/** Days of checks that are rows at most: a day is packed 26 hours after its end (docs/rules/figures.md#packed-checks). */
export const DAYS_OF_ROWS = 2.1;
/** Bytes of a single check once it is packed (`npm run bench -- packed`). */
export const PACKED_BYTES_PER_CHECK = 4.07;
/** Bytes of a bucket on disk (`npm run bench -- bytes`), how many a day, and for how many days (docs/rules/limits.md#retention). */
export const BUCKETS: readonly { bytes: number; perDay: number; days: number }[] = [
  { bytes: 192, perDay: 144, days: 100 },
  { bytes: 199, perDay: 24, days: 100 },
  { bytes: 273, perDay: 2, days: 400 },
];
/** MiB of a probe without a monitor, and per 1,000 monitors (`npm run bench -- regions`). */
export const PROBE_MIB = { alone: 35.7, perThousand: 7.7 };
