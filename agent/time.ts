import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The agent's clocks; tests have their own. */
export type Time = {
  /** The wall clock, which people and NTP may set. */
  wallNowMs(): number;
  /** Since the machine started, including sleep; nobody sets it. */
  steadyNowMs(): number;
  /** Identifies this start of the machine. */
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
    // If the system has no id for it: its time, to the minute.
    return `at ${Math.round(bootedAtMs / 60_000)}`;
  }
}
