// `npm run simulate`: what becomes of scripted worlds, of a growing number of cells, and what it costs. One file each.
type Simulate = (words: string[]) => number | Promise<number>;

const SIMULATIONS: Readonly<Record<string, () => Promise<Simulate>>> = {
  cells: async () => (await import('./cells/command.ts')).simulateCells,
  cost: async () => (await import('./cells/cost-command.ts')).printCost,
  groups: async () => (await import('./groups/command.ts')).simulateGroups,
  heartbeats: async () => (await import('./heartbeats/command.ts')).simulateHeartbeats,
  hosts: async () => (await import('./hosts/command.ts')).simulateHosts,
  live: async () => (await import('./live/command.ts')).simulateLive,
  maintenance: async () => (await import('./maintenance/command.ts')).simulateMaintenance,
  'on-call': async () => (await import('./on-call/command.ts')).simulateOnCall,
  pages: async () => (await import('./pages/command.ts')).simulatePages,
  races: async () => (await import('./races/command.ts')).simulateRaces,
  'round-trips': async () => (await import('./round-trips/command.ts')).simulateRoundTrips,
  silence: async () => (await import('./silence/command.ts')).simulateSilence,
  storms: async () => (await import('./storms/command.ts')).simulateStorms,
};
const worlds = async (): Promise<Simulate> => (await import('./simulation/worlds.ts')).simulateWorlds;

const given = process.argv.slice(2);
const [name = '', ...words] = given;
const isNamed = name !== '' && !name.startsWith('-');
const simulation = isNamed ? SIMULATIONS[name] : worlds;
if (simulation) {
  const simulate = await simulation();
  process.exitCode = await simulate(isNamed ? words : given);
} else {
  const names = Object.keys(SIMULATIONS).join(', ');
  process.stderr.write(`"${name}" is no simulation. There are ${names}, and without a name worlds.\n`);
  process.exitCode = 2;
}
