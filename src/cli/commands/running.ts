// The commands that run Tocsin: `serve`, `probe`, `agent`, `migrate`, `doctor`.
import type { Command } from 'commander';
import { runs } from '../runs.ts';

export function addRunning(program: Command): void {
  program
    .command('serve')
    .summary('Start the server, its database and the probe of the region "local"')
    .description(
      'Starts the server, its database and the probe of the region "local". With DATABASE_URL, any number of servers run on ' +
        'one database, and each may do part of the work.',
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
      "\nDNS_SERVERS (IP address or address:port, separated by commas) replaces the machine's name servers.\n" +
        'CANARIES (host:port, separated by commas, or none) are the canaries of a region that names none.\n' +
        "RDAP_BASE_URL (http or https) replaces the registries' own RDAP servers in checks of domains.",
    )
    .action(runs(() => import('../run/probe.ts')));
  const agent = program
    .command('agent')
    .summary('Watch this machine for a server elsewhere')
    .description(
      'Sends how this machine is doing (processors, memory, disks, network, load, watched services) to a Tocsin server, once a ' +
        'minute, until it is stopped. The first start enrols the machine with a token; later ones need none. Does not need root.',
    )
    .option('--url <URL>', 'Address of the server, for example https://tocsin.example.com (or TOCSIN_URL)')
    .option(
      '--token <TOKEN>',
      'An enrolment token, which Tocsin shows under Hosts; needed once. Better in TOCSIN_TOKEN: a process list shows this option',
    )
    .option(
      '--data-dir <DIR>',
      'Where the agent keeps its credential and what it could not send (default: ~/.tocsin-agent)',
    )
    .option('--labels <LABELS>', 'For the enrolment: labels separated by commas, key=value or bare')
    .option('--name <NAME>', 'For the enrolment: the name of this host, instead of its hostname')
    .option('--once', 'Send one heartbeat, and exit: with 0 if the server accepted it, else with 1')
    .option('--show', 'Print exactly what would be sent, and send nothing')
    .action(runs(() => import('../run/agent.ts')));
  agent
    .command('install')
    .summary('Have a service manager run the agent on this machine')
    .description(
      'Enrols this machine, and installs the agent as a service of systemd or launchd. Run as root, it makes a system service ' +
        'with a user of its own; run as anybody else, a service of that user. Run again, it switches the service to this version ' +
        'and keeps the enrolment.',
    )
    .option('--url <URL>', 'Address of the server; needed once')
    .option('--token <TOKEN>', 'An enrolment token; needed once. Better in TOCSIN_TOKEN')
    .option('--labels <LABELS>', 'Labels separated by commas, key=value or bare')
    .option('--name <NAME>', 'The name of the host, instead of its hostname')
    .option('--print', 'Print every file and command as a script, and change nothing')
    .action(runs(() => import('../run/agent-install.ts')));
  agent
    .command('uninstall')
    .summary('Remove that service, with its files, its data and its user')
    .option('--yes', 'Do it; without this option, only print what would be done')
    .option('--print', 'Print every command as a script, and change nothing')
    .action(runs(() => import('../run/agent-uninstall.ts')));
  program
    .command('migrate')
    .summary('Bring the database to the schema of this version (serve does this automatically)')
    .description(
      'Brings the database to the schema of this version, which serve does automatically. All outstanding migrations are ' +
        'applied, or none. The bundled database is first backed up into DATA_DIR/backups (BACKUP_BEFORE_MIGRATION).',
    )
    .option(
      '--plan',
      'Only print which migrations are outstanding, what each locks, and for about how long; change nothing',
    )
    .option('--json', 'With --plan: print it as JSON')
    .action(runs(() => import('../run/migrate.ts')));
  program
    .command('doctor')
    .summary('Check everything the installation depends on, and suggest remedies')
    .description(
      'Checks settings, database, migrations, clocks, secret key, activity logs, servers, probes, queues, notification targets, ' +
        'edges, disk, DATA_DIR, mail, DNS, port and proxy. Prints one line for each finding: OK, WARN or FAIL. Exits with 1 if one ' +
        'failed, else with 0. Changes nothing, and sends nothing that no option asks for.',
    )
    .option('--mail-to <ADDRESS>', 'Send one real message to this address')
    .option('--json', 'Print the findings as JSON')
    .action(runs(() => import('../run/doctor.ts')));
}
