// Evaluations that come late, of heartbeats and agents alike: the servers were down in between, so that nothing could arrive.

const AS_OF_NOW_MS = 15_000;

/** As far as the instant of an evaluation made now may lie back. */
export const evaluatedFrom = (nowMs: number): number => nowMs - AS_OF_NOW_MS;

/** The instant of an evaluation that is due: one that is overdue by more than 15 s is made as of now. */
export const evaluatedAt = (dueMs: number, nowMs: number): number =>
  dueMs < evaluatedFrom(nowMs) ? nowMs : dueMs;

/** The most excused silences in a row: a server that keeps restarting must not hide a dead target. */
export const MAX_EXCUSED = 3;
