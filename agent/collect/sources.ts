// The interface between the collectors and a machine; linux.ts reads /proc and /sys, elsewhere.ts uses systeminformation.

/** Time of all processors, in any unit. */
export type CpuTimes = { busy: number; total: number };
export type Memory = { mem_pct: number | null; swap_pct: number | null };
export type Disk = { mount: string; pct: number };
/** Bytes since the interface came up, by name. */
export type Counters = Record<string, { rx: number; tx: number }>;
export type ProcessSample = {
  pid: number;
  /** The program's name; never its arguments. */
  name: string;
  /** Distinguishes two processes with the same id. */
  started: string;
  /** Processor time since its start; or, on systems that report only that, the current percentage of a core. */
  cpu: { usedMs: number } | { pct: number };
  memMb: number;
};

type Answer<Value> = Value | Promise<Value>;

/** Each throws if the machine does not have it, or does not show it to this user. */
export type Sources = {
  cpu(): Answer<CpuTimes>;
  memory(): Answer<Memory>;
  disks(): Answer<Disk[]>;
  load(): Answer<readonly number[]>;
  network(): Answer<Counters>;
  temperature(): Answer<number | null>;
  processes(): Answer<ProcessSample[]>;
};
