// What the collectors ask of a machine; linux.ts answers from /proc and /sys, elsewhere.ts by systeminformation.

/** Time of all processors in one unit, whatever it is. */
export type CpuTimes = { busy: number; total: number };
export type Memory = { mem_pct: number | null; swap_pct: number | null };
export type Disk = { mount: string; pct: number };
/** Bytes since the interface came up, by its name. */
export type Counters = Record<string, { rx: number; tx: number }>;
export type ProcessSample = {
  pid: number;
  /** Of the program; never its arguments. */
  name: string;
  /** Tells two processes of one id apart. */
  started: string;
  /** Processor time that it used since it started; or, where only that is known, percent of a core at present. */
  cpu: { usedMs: number } | { pct: number };
  memMb: number;
};

type Answer<Value> = Value | Promise<Value>;

/** Each throws where the machine does not have it, or does not show it to this user. */
export type Sources = {
  cpu(): Answer<CpuTimes>;
  memory(): Answer<Memory>;
  disks(): Answer<Disk[]>;
  load(): Answer<readonly number[]>;
  network(): Answer<Counters>;
  temperature(): Answer<number | null>;
  processes(): Answer<ProcessSample[]>;
};
