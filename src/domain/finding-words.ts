// Browser-safe. What the doctor may find, in English: `said` describes it, `todo` is the remedy. `{{name}}` stands for a value of
// the finding. The dashboard has the same codes in other languages.

/** What was examined. */
export const SUBJECTS = [
  'settings',
  'database',
  'migrations',
  'clock',
  'secret_key',
  'activity',
  'folder',
  'disk',
  'mail',
  'dns',
  'proxy',
  'port',
  'servers',
  'probes',
  'channels',
  'queues',
  'edge',
] as const;
export type Subject = (typeof SUBJECTS)[number];

type Words = { said: string; todo?: string };

export const FINDING_WORDS = {
  settings_wrong: { said: '{{problems}}', todo: 'See docs/self-hosting.md#settings.' },
  settings_idle: { said: '{{sentence}}', todo: 'Correct its name, or remove it.' },

  database_answers: { said: 'it answers (PostgreSQL {{version}})' },
  database_away: {
    said: '{{reason}}',
    todo: 'Nothing works without it. The log of the bundled one is in DATA_DIR; otherwise check DATABASE_URL.',
  },
  replica_near: { said: 'the replica has what the primary has, within {{seconds}} s' },
  replica_behind: {
    said: 'the replica has not replayed within {{seconds}} s what the primary has',
    todo: 'Its reads go to the primary meanwhile. Look at pg_stat_replication there, and at the log of the replica.',
  },
  replica_away: {
    said: 'the replica does not answer: {{reason}}',
    todo: 'Its reads go to the primary meanwhile. Check DATABASE_READ_URL, and start the replica.',
  },
  replica_other_database: {
    said: 'DATABASE_READ_URL leads to another database than DATABASE_URL',
    todo: 'Let it lead to a streaming replica of that one, or leave it out: no server starts with it.',
  },
  replica_not_a_replica: {
    said: 'DATABASE_READ_URL leads to a server that accepts writes, not to a replica',
    todo: 'Let it lead to a streaming replica; until then everything is read from the primary.',
  },
  migrations_applied: { said: 'the database has the schema of this version ({{count}} migrations)' },
  migrations_missing: {
    said: 'the database lacks {{count}} of the migrations of this version, the first is {{first}}',
    todo: 'Stop the servers, run tocsin migrate, and start them.',
  },

  clock_near: { said: 'this machine and the database differ by {{seconds}} s' },
  clock_off: {
    said: 'this machine and the database differ by {{seconds}} s',
    todo: 'Set both by NTP (timedatectl set-ntp true); sessions, leases and times of checks depend on it.',
  },
  probe_clocks_near: { said: 'clocks of probes within 2 s of the database: {{count}}' },
  probe_clock_off: {
    said: 'the clock of probe {{probe}} in region {{region}} is {{seconds}} s off',
    todo: 'Set it by NTP. Its results carry the time of the server all the same; what it does with the hour of its own machine (certificates) is wrong.',
  },

  key_fits: { said: 'it opens what is stored' },
  key_wrong: { said: '{{reason}}', todo: 'Give the key that the server had when the secrets were stored.' },

  activity_whole: { said: 'the logs of {{organizations}} organizations are whole ({{entries}} entries)' },
  activity_broken: {
    said: '{{log}}: {{reason}}',
    todo: 'Somebody wrote to the database by hand, or it is damaged: compare with a backup, and see who can reach it.',
  },

  folder_fine: { said: '{{path}} is ours, and others cannot write to it' },
  folder_unusable: { said: '{{reason}}', todo: 'Without it the server does not start.' },
  folder_open: {
    said: 'everybody on this machine can write to {{path}} (mode {{mode}})',
    todo: 'chmod o-w {{path}}',
  },
  key_file_private: { said: '{{path}} is for its owner only' },
  key_file_open: {
    said: '{{path}} can be read by others (mode {{mode}})',
    todo: 'chmod 600 {{path}}. If somebody may have read it: tocsin secret-key rotate.',
  },

  disk_roomy: { said: '{{free}} GiB ({{share}} %) free at {{path}}' },
  disk_low: {
    said: '{{free}} GiB ({{share}} %) free at {{path}}',
    todo: 'Make room, or keep less: see docs/self-hosting.md#when-the-disk-fills-up.',
  },
  disk_full: {
    said: '{{free}} GiB ({{share}} %) free at {{path}}',
    todo: 'Make room now: a database without room stops taking results.',
  },
  disk_unreadable: {
    said: '{{path}} cannot be looked at ({{reason}})',
    todo: 'Set DATA_DIR to a folder that this user may read.',
  },

  mail_accepted: { said: 'the mail server of SMTP_URL takes us' },
  mail_sent: { said: 'the mail server took a message for {{to}}; see whether it arrives' },
  mail_refused: {
    said: '{{reason}}',
    todo: 'Check SMTP_URL, and that the server may be reached: see docs/self-hosting.md#mail.',
  },
  mail_not_sent: {
    said: 'no message could be sent to {{to}}: {{reason}}',
    todo: 'Check the address, MAIL_FROM, and what this mail server lets us send.',
  },
  mail_absent: {
    said: 'no mail can be sent: SMTP_URL is not set',
    todo: 'Set SMTP_URL and MAIL_FROM (docs/self-hosting.md#mail): without them nobody is alarmed by mail, and passwords are reset by the operator only.',
  },

  dns_answers: { said: 'name servers that answer: {{count}}' },
  dns_silent: {
    said: 'the name server {{server}} does not answer: {{reason}}',
    todo: 'Check DNS_SERVERS, or the name servers of this machine; checks and alarms look names up there.',
  },
  dns_none: {
    said: 'this machine has no name server',
    todo: 'Set DNS_SERVERS, or give the machine one: no name can be looked up.',
  },
  base_url_unnamed: { said: 'BASE_URL has no name to look up ({{host}})' },
  base_url_resolves: { said: '{{host}} is {{addresses}}' },
  base_url_unresolved: {
    said: '{{host}}, the host of BASE_URL, has no address here: {{reason}}',
    todo: 'Links in mails lead to BASE_URL: give the name an address, or set BASE_URL to the right one.',
  },

  base_url_serves: { said: 'BASE_URL leads to a Tocsin server' },
  base_url_elsewhere: {
    said: 'something other than Tocsin answers at BASE_URL ({{reason}})',
    todo: 'Set BASE_URL to the address that people open, or have the proxy pass it on to this server.',
  },
  base_url_unreached: {
    said: 'BASE_URL cannot be reached from this machine: {{reason}}',
    todo: 'Open it from where people are. If it does not load there either, links in alarms lead nowhere.',
  },
  base_url_local: {
    said: 'BASE_URL is {{url}}, which other machines cannot open, while the server listens on {{host}}',
    todo: 'Set BASE_URL to the address that people open: links in alarms lead there.',
  },
  base_url_differs: {
    said: 'this page was opened at {{opened}}, and BASE_URL is {{url}}',
    todo: 'Set BASE_URL to the address that people open: links, cookies and passkeys belong to it.',
  },
  proxy_fits: { said: 'TRUST_PROXY and BASE_URL fit together' },
  proxy_forwards: {
    said: 'this request came with X-Forwarded-For, and TRUST_PROXY is 0',
    todo: 'Set TRUST_PROXY to the number of proxies: until then everybody shares the limits of one address.',
  },
  proxy_in_front: {
    said: 'BASE_URL is {{url}} while the server listens on port {{port}}, so there is a proxy in front, and TRUST_PROXY is 0',
    todo: 'Set TRUST_PROXY to the number of proxies: until then everybody shares the limits of one address.',
  },
  proxy_fewer: {
    said: 'TRUST_PROXY is {{count}}, and this request passed {{passed}}',
    todo: 'Set TRUST_PROXY to the number of proxies: with too many, anybody can claim any address.',
  },
  proxy_absent: {
    said: 'TRUST_PROXY is {{count}}, and BASE_URL is the address of the server itself',
    todo: 'Set TRUST_PROXY to the number of proxies: with too many, anybody can claim any address.',
  },

  port_any: { said: 'any free one (PORT=0)' },
  port_serves: { said: 'a ready server answers at {{address}}' },
  port_not_ready: { said: 'the server at {{address}} is not ready: {{reason}}', todo: 'Its log says why.' },
  port_foreign: {
    said: 'something other than Tocsin answers at {{address}} (HTTP {{status}})',
    todo: 'Stop it, or set PORT to another one.',
  },
  port_no_http: {
    said: 'something answers at {{address}}, and not as Tocsin does: {{reason}}',
    todo: 'Stop it, or set PORT to another one; a Tocsin server that hangs is restarted by its supervisor.',
  },
  port_silent: {
    said: 'no server answers at {{address}}: {{reason}}',
    todo: 'Start it: tocsin serve. Where it runs on another machine, ask there.',
  },

  servers_running: { said: 'servers on this database: {{count}}; every role has one' },
  servers_none: {
    said: 'no server is connected to this database',
    todo: 'Start one: tocsin serve. One that cannot reach its database says so in its log.',
  },
  role_api_missing: {
    said: 'no server has the role api: nobody can sign in, and links of alarm mails lead nowhere',
    todo: 'Start one: tocsin serve --roles api, or without --roles, which is every role.',
  },
  role_ingest_missing: {
    said: 'no server has the role ingest: results of probes and pings of heartbeats are not taken',
    todo: 'Start one: tocsin serve --roles ingest, or without --roles, which is every role.',
  },
  role_jobs_missing: {
    said: 'no server has the role jobs: nobody is notified of anything, and nothing happens in time',
    todo: 'Start one: tocsin serve --roles jobs, or without --roles, which is every role.',
  },
  role_pages_missing: {
    said: 'no server has the role pages: nobody is shown the status pages of this installation',
    todo: 'Start one: tocsin serve --roles pages, or without --roles, which is every role.',
  },

  regions_online: { said: 'regions online: {{count}}' },
  regions_none: {
    said: 'no region is online: nothing is checked',
    todo: 'Start a probe: LOCAL_PROBE=on, or the command that the page of a region shows.',
  },
  region_offline: {
    said: 'region {{region}} is offline; monitors that nothing checks from there: {{monitors}}',
    todo: 'Start its probe, or read its log: it says why it does not reach the server.',
  },
  probe_waiting: {
    said: 'probe {{probe}} waits to be admitted to region {{region}}',
    todo: 'Admit it on the page of the region, or with tocsin region admit {{region}} {{probe}}.',
  },
  probe_stalled: {
    said: 'probe {{probe}} in region {{region}} asks for monitors and brings no results',
    todo: 'Read its log, and restart it; the others of its region check its share meanwhile.',
  },

  channels_none: { said: 'no notification targets are set up' },
  channels_reached: { said: 'every address of notification targets can be reached: {{count}}' },
  channel_unreached: {
    said: '{{address}} (targets: {{targets}}, {{kinds}}) cannot be reached: {{reason}}',
    todo: 'Alarms to it do not arrive: check the address, and what the network of this machine lets out.',
  },
  channels_skipped: {
    said: '{{count}} further addresses of notification targets were not tried',
    todo: 'Their own pages say how the last delivery went.',
  },

  queues_moving: { said: 'nothing waits untried' },
  deliveries_stuck: {
    said: 'deliveries to notification targets have waited untried, the first for {{seconds}} s: {{count}}',
    todo: 'Is a server running? Its log says what keeps it from sending.',
  },
  notices_stuck: {
    said: 'mails and pushes to people have waited untried, the first for {{seconds}} s: {{count}}',
    todo: 'Is a server running? Its log says what keeps it from sending.',
  },
  jobs_stuck: {
    said: 'stored jobs have waited untried, the first for {{seconds}} s: {{count}}',
    todo: 'Is a server running? Its log says what keeps it from running them.',
  },

  edge_serves: { said: 'the edge at {{address}} has its configuration; names it serves: {{count}}' },
  edge_away: {
    said: 'the edge at {{address}} does not answer: {{reason}}',
    todo: 'Start that Caddy, and see that its admin API listens where CADDY_ADMIN_URL says: docs/self-hosting.md#the-edge.',
  },
  edge_refuses: {
    said: 'the edge at {{address}} does not take its configuration: {{reason}}',
    todo: 'Often another program has one of its ports, or its admin API admits other names only: docs/self-hosting.md#the-edge.',
  },
  edge_differs: {
    said: 'the edge at {{address}} has another configuration than it should have',
    todo: 'A server replaces it within ten seconds, if one runs. If this stays: give every server the same BASE_URL, PORT and EDGE_ variables, and no other Tocsin this Caddy.',
  },
  edge_port_closed: {
    said: 'the edge does not listen at {{host}} on port {{port}}: {{reason}}',
    todo: 'See what keeps others from it: a firewall, or a Caddy that listens elsewhere than its admin API.',
  },
  edge_domain_resolves: { said: 'names under {{domain}} have an address' },
  edge_domain_unresolved: {
    said: 'names under {{domain}} have no address here: {{reason}}',
    todo: 'Set a DNS record for *.{{domain}} that leads to the edge: the records of custom domains point there.',
  },
} as const satisfies Record<string, Words>;

export type FindingCode = keyof typeof FINDING_WORDS;
export type FindingValues = Readonly<Record<string, string | number>>;

/** Puts the values into the words. */
export const filledIn = (words: string, values: FindingValues): string =>
  words.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => String(values[name] ?? all));
