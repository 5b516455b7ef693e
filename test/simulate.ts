// `npm run simulate`: what becomes of scripted worlds, of a growing number of cells, and what it costs. One file each.
const [name = '', ...words] = process.argv.slice(2);

switch (name) {
  case 'cells':
    process.exitCode = (await import('./cells/command.ts')).simulateCells(words);
    break;
  case 'cost':
    process.exitCode = (await import('./cells/cost-command.ts')).printCost(words);
    break;
  case 'heartbeats':
    process.exitCode = await (await import('./heartbeats/command.ts')).simulateHeartbeats(words);
    break;
  case 'hosts':
    process.exitCode = await (await import('./hosts/command.ts')).simulateHosts(words);
    break;
  case 'maintenance':
    process.exitCode = await (await import('./maintenance/command.ts')).simulateMaintenance(words);
    break;
  case 'on-call':
    process.exitCode = await (await import('./on-call/command.ts')).simulateOnCall(words);
    break;
  case 'silence':
    process.exitCode = await (await import('./silence/command.ts')).simulateSilence(words);
    break;
  case 'storms':
    process.exitCode = await (await import('./storms/command.ts')).simulateStorms(words);
    break;
  default:
    if (name === '' || name.startsWith('-'))
      process.exitCode = await (await import('./simulation/worlds.ts')).simulateWorlds(process.argv.slice(2));
    else {
      process.stderr.write(
        `"${name}" is no simulation. There are cells, cost, heartbeats, hosts, maintenance, on-call, silence, storms, and without a name worlds.\n`,
      );
      process.exitCode = 2;
    }
}
