// The commands that run Tocsin: `serve`, `probe`, `migrate`, `doctor`.
import type { Command } from 'commander';
import { runs } from '../runs.ts';

export function addRunning(program: Command): void {
  program
    .command('serve')
    .summary('Start the server, its database and the probe of the region "local"')
    .description(
      'Starts the server, its database and the probe of the region "local". With DATABASE_URL, any number of servers run on ' +
        'one database, and each may do a part of the work.',
    )
    .option(
      '--roles <LIST>',
      'What this server does, separated by commas: api, ingest, jobs, pages (default: all of it)',
    )
    .action(runs(() => import('../run/serve.ts')));
  program
    .command('probe')
    .summary('Check monitors from this machine for a server elsewhere')
    .description(
      'Checks monitors from this machine for one region and reports to a Tocsin server. Any number of probes may serve a ' +
        'region: they share its monitors. When one stops, the others take over its monitors at once; when one dies, ' +
        'within 30 seconds.',
    )
    .requiredOption('--url <URL>', 'Address of the server, for example https://tocsin.example.com')
    .option(
      '--token <TOKEN>',
      'A probe token of the region (tocsin region token SLUG); several probes may use the same one. Better in ' +
        'TOCSIN_PROBE_TOKEN, or in the file that TOCSIN_PROBE_TOKEN_FILE names: a process list shows this option',
    )
    .option(
      '--data-dir <DIR>',
      "Where unsent results and the probe's name are kept: one folder per probe (default: ./data/probe)",
    )
    .addHelpText(
      'after',
      "\nDNS_SERVERS (host or host:port, separated by commas) replaces the machine's name servers.\n" +
        "RDAP_BASE_URL (http or https) replaces the registries' own RDAP servers in checks of domains.",
    )
    .action(runs(() => import('../run/probe.ts')));
  program
    .command('migrate')
    .description('Bring the database to the schema of this version (serve does this automatically)')
    .action(runs(() => import('../run/migrate.ts')));
  program
    .command('doctor')
    .summary('Check everything the installation depends on, and suggest remedies')
    .description(
      'Checks settings, database, migrations, clocks, secret key, activity logs, regions, queues, notification targets, disk, ' +
        'DATA_DIR, mail, DNS, port and proxy. Prints one line for each finding: OK, WARN or FAIL. Exits with 1 if one ' +
        'failed, else with 0. Changes nothing, and sends nothing that no option asks for.',
    )
    .option('--mail-to <ADDRESS>', 'Send one real message to this address')
    .option('--json', 'Print the findings as JSON')
    .action(runs(() => import('../run/doctor.ts')));
}
