// The baseline of the schedule: one timer per moment, and how late each one fires.
import type { BareTimersDone, BareTimersOrder } from './schedule.ts';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', ({ seconds, perSecond }: BareTimersOrder) => {
  const lateMs: number[] = [];
  const startMs = performance.now() + 100;
  const moments = seconds * perSecond;
  for (let i = 0; i < moments; i++) {
    const dueMs = startMs + (i * 1000) / perSecond;
    setTimeout(() => {
      lateMs.push(performance.now() - dueMs);
      if (lateMs.length < moments) return;
      const done: BareTimersDone = { kind: 'done', lateMs };
      process.send?.(done);
    }, dueMs - performance.now());
  }
});
