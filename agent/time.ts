import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Where the agent reads time; tests have one of their own. */
export type Time = {
  /** The clock on the wall: people and NTP may set it. */
  wallNowMs(): number;
  /** Since the machine started, time asleep included: nobody sets it. */
  steadyNowMs(): number;
  /** Names this start of the machine. */
  boot: string;
};

export function timeOfMachine(): Time {
  const steadyNowMs = () => uptime() * 1000;
  return { wallNowMs: () => Date.now(), steadyNowMs, boot: bootId(Date.now() - steadyNowMs()) };
}

function bootId(bootedAtMs: number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Where the system has no name for it: when it was, to the minute.
    return `at ${Math.round(bootedAtMs / 60_000)}`;
  }
}
