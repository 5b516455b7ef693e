// The watched services (docs/rules/agents.md#readings), and the names of services that could be watched.
import type { Heartbeat, WatchedService } from '#src/agents/protocol-contract.ts';
import { MAX_NAMES, MAX_SERVICES } from '../limits.ts';
import type { WatchedName } from '../reply.ts';
import { mayReadDocker, readContainer, readContainers } from './docker.ts';
import type { Limited } from './limited.ts';
import { namesOf } from './process-names.ts';
import type { ProcessSample } from './sources.ts';
import { hasSystemd, readUnitNames, readUnits } from './systemd.ts';
import { type Before, type Counted, countedUse, processesBefore, processUse } from './use.ts';

type Options = {
  limit: Limited;
  steadyNowMs: () => number;
  processes: () => Promise<ProcessSample[] | null>;
};

export type ServiceCollector = {
  /** The state of the services; leaves out kinds that this machine does not have, or does not show. */
  collect(watched: readonly WatchedName[]): Promise<WatchedService[]>;
  names(): Promise<NonNullable<Heartbeat['service_inventory']>>;
};

export function serviceCollector({ limit, steadyNowMs, processes }: Options): ServiceCollector {
  let before: Before | null = null;

  return {
    async collect(watched) {
      const names = (kind: WatchedName['kind']) =>
        watched.filter((service) => service.kind === kind).map(({ name }) => name);
      const [samples, units, containers] = await Promise.all([
        names('process').length > 0 ? processes() : null,
        unitsOf(names('systemd')),
        containersOf(names('docker')),
      ]);
      const counted = new Map([...units, ...containers]);
      const nowMs = steadyNowMs();
      const found = watched.slice(0, MAX_SERVICES).flatMap(({ kind, name }): WatchedService[] => {
        if (kind === 'process')
          return samples ? [{ kind, name, ...processUse(name, samples, before, nowMs) }] : [];
        const key = `${kind} ${name}`;
        const counts = counted.get(key);
        return counts ? [{ kind, name, ...countedUse(counts, key, before, nowMs) }] : [];
      });
      const used = [...counted].flatMap(([key, { usedMs }]) =>
        usedMs === null ? [] : [[key, usedMs] as const],
      );
      before = { atMs: nowMs, usedMs: new Map(used), processes: samples && processesBefore(samples) };
      return found;
    },
    async names() {
      const [units, containers] = await Promise.all([
        hasSystemd() ? limit('the names of units', readUnitNames) : null,
        mayReadDocker() ? limit('the names of containers', () => readContainers()) : null,
      ]);
      return [
        ...namesOf(units ?? [], MAX_NAMES).map((name) => ({ kind: 'systemd', name })),
        ...namesOf(containers?.map(({ name }) => name) ?? [], MAX_NAMES).map((name) => ({
          kind: 'docker',
          name,
        })),
      ].slice(0, MAX_NAMES);
    },
  };

  async function unitsOf(names: readonly string[]): Promise<[string, Counted][]> {
    if (names.length === 0 || !hasSystemd()) return [];
    const units = await limit('units', () => readUnits(names));
    return names.flatMap((name, i): [string, Counted][] => {
      const unit = units?.[i];
      return unit ? [[`systemd ${name}`, unit]] : [];
    });
  }

  async function containersOf(names: readonly string[]): Promise<[string, Counted][]> {
    if (names.length === 0 || !mayReadDocker()) return [];
    const containers = await limit('containers', () => readContainers());
    if (containers === null) return [];
    return Promise.all(
      names.map(async (name): Promise<[string, Counted]> => {
        const container = containers.find((each) => each.name === name);
        const stopped = { running: false, usedMs: null, memMb: null };
        if (!container?.running) return [`docker ${name}`, stopped];
        const counted = await limit(`container ${name}`, () => readContainer(container.id));
        return [`docker ${name}`, counted ?? { ...stopped, running: true }];
      }),
    );
  }
}
