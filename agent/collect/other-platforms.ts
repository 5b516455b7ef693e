// Readings of macOS, Windows and the BSDs, by systeminformation; a value that it cannot find is no reading.
import { cpus, loadavg } from 'node:os';
import { isMount } from '#src/domain/agent.ts';
import { percentOf } from './memory.ts';
import type { Sources } from './sources.ts';

/** Loaded only on these systems: it takes 10 MB. */
const load = async () => {
  const module = await import('systeminformation');
  // A bundle may contain it as a CommonJS module.
  return 'default' in module ? (module.default as typeof module) : module;
};

/** Not disks: images, and the system's own volumes beside each volume. */
const NO_DISK = /^(squashfs|iso9660|udf|devfs|autofs|nullfs|tmpfs|smbfs|nfs|afpfs)$/i;
const SYSTEM_VOLUME = /^\/System\/Volumes\/(?!Data$)|^\/private\/var\/vm$/;

export function sourcesOnOtherPlatforms(platform: NodeJS.Platform): Sources {
  return {
    cpu() {
      const times = cpus().map(({ times }) => times);
      const total = times.reduce(
        (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
        0,
      );
      return { busy: total - times.reduce((sum, { idle }) => sum + idle, 0), total };
    },
    async memory() {
      const { total, available, swaptotal, swapfree } = await (await load()).mem();
      return { mem_pct: percentOf(total, available), swap_pct: percentOf(swaptotal, swapfree) };
    },
    load() {
      if (platform === 'win32') throw new Error('Windows counts no load');
      return loadavg();
    },
    async disks() {
      const disks = await (await load()).fsSize();
      return disks
        .filter(({ mount, type, use }) => isMount(mount) && Number.isFinite(use) && !NO_DISK.test(type))
        .filter(({ mount }) => !SYSTEM_VOLUME.test(mount))
        .map(({ mount, use }) => ({ mount, pct: use }));
    },
    async network() {
      const interfaces = await (await load()).networkStats('*');
      return Object.fromEntries(
        interfaces
          .filter(({ iface }) => !/^lo\d*$/.test(iface))
          .map(({ iface, rx_bytes, tx_bytes }) => [iface, { rx: rx_bytes, tx: tx_bytes }]),
      );
    },
    async temperature() {
      const { main } = await (await load()).cpuTemperature();
      return Number.isFinite(main) && main !== 0 ? main : null;
    },
    async processes() {
      const { list } = await (await load()).processes();
      return list.map(({ pid, name, started, cpu, memRss }) => ({
        ...{ pid, name, started, cpu: { pct: cpu } },
        memMb: (memRss * 1024) / 1e6,
      }));
    },
  };
}
