// One look at the machine: all its readings (docs/rules/agents.md#readings).

import type { Log } from '#probe/log.ts';
import type { Readings } from '#src/agents/protocol-contract.ts';
import type { AgentModule } from '#src/domain/agent.ts';
import type { Beat, Inventory } from '../heartbeat.ts';
import { MAX_DISKS, MAX_NAMES } from '../limits.ts';
import type { WatchedName } from '../reply.ts';
import type { Time } from '../time.ts';
import { cpuPercent } from './cpu.ts';
import { mayReadDocker } from './docker.ts';
import { limited } from './limited.ts';
import { linuxSources } from './linux.ts';
import { ratesOf } from './network.ts';
import { sourcesOnOtherPlatforms } from './other-platforms.ts';
import { namesOf } from './process-names.ts';
import { serviceCollector } from './services.ts';
import type { Counters, CpuTimes, Sources } from './sources.ts';

export type CollectorOptions = {
  agentVersion: string;
  log: Log;
  time: Pick<Time, 'steadyNowMs'>;
  /** Reads the machine; absent: this one. */
  sources?: Sources | undefined;
  limitMs?: number | undefined;
};

export type Collector = {
  /** Readings since the previous call; the first has no averages. */
  collect(watched: readonly WatchedName[]): Promise<Beat>;
  /** Names of processes and services: only with the organization's opt-in. */
  inventory(): Promise<Inventory>;
};

export function openCollector(options: CollectorOptions): Collector {
  const { agentVersion, log, time } = options;
  const {
    sources = process.platform === 'linux' ? linuxSources(log) : sourcesOnOtherPlatforms(process.platform),
  } = options;
  const limit = limited(log, options.limitMs);
  const processes = () => limit('processes', () => sources.processes());
  const services = serviceCollector({ limit, steadyNowMs: () => time.steadyNowMs(), processes });
  let cpuBefore: CpuTimes | null = null;
  let countersBefore: { counters: Counters; atMs: number } | null = null;

  return {
    async collect(watched) {
      const [cpu, memory, disks, load, counters, celsius, found] = await Promise.all([
        limit('processors', () => sources.cpu()),
        limit('memory', () => sources.memory()),
        limit('disks', () => sources.disks()),
        process.platform === 'win32' ? null : limit('load', () => sources.load()),
        limit('the network', () => sources.network()),
        limit('temperature', () => sources.temperature()),
        services.collect(watched),
      ]);
      const nowMs = time.steadyNowMs();
      const rates =
        counters && countersBefore
          ? ratesOf(countersBefore.counters, counters, (nowMs - countersBefore.atMs) / 1000)
          : null;
      const readings: Readings = {
        cpu_pct: cpu && cpuBefore ? cpuPercent(cpuBefore, cpu) : null,
        mem_pct: memory?.mem_pct ?? null,
        disk_pct: disks && disks.length > 0 ? Math.max(...disks.map(({ pct }) => pct)) : null,
        swap_pct: memory?.swap_pct ?? null,
        load1: load?.[0] ?? null,
        load5: load?.[1] ?? null,
        load15: load?.[2] ?? null,
        net_rx_bps: rates?.net_rx_bps ?? null,
        net_tx_bps: rates?.net_tx_bps ?? null,
        temp_c: celsius,
        uptime_seconds: Math.floor(nowMs / 1000),
        disks: (disks ?? []).slice(0, MAX_DISKS),
      };
      cpuBefore = cpu ?? cpuBefore;
      countersBefore = counters ? { counters, atMs: nowMs } : countersBefore;
      const works: Partial<Record<AgentModule, boolean>> = {
        cpu: cpu !== null,
        memory: memory?.mem_pct != null,
        disk: readings.disk_pct != null,
        network: counters !== null,
        load: load !== null,
        services: true,
        processes: true,
        docker: mayReadDocker(),
      };
      const modules = Object.entries(works).flatMap(([name, work]) => (work ? [name] : []));
      return {
        agent_version: agentVersion,
        modules,
        readings: rounded(readings),
        services: found.map(rounded),
      };
    },
    async inventory() {
      const [samples, names] = await Promise.all([processes(), services.names()]);
      return {
        processes: namesOf(samples?.map(({ name }) => name) ?? [], MAX_NAMES),
        service_inventory: names,
      };
    },
  };
}

/** Three decimal places: more would be noise that makes every heartbeat larger. */
function rounded<Value>(value: Value): Value {
  if (typeof value === 'number') return (Math.round(value * 1000) / 1000) as Value;
  if (Array.isArray(value)) return value.map(rounded) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rounded(part)])) as Value;
}
