// Browser-safe. The findings of `tocsin doctor` in English: `said` describes one, `todo` is the remedy. `{{name}}` stands for a
// value of the finding. The dashboard has the same codes in other languages.

/** The subjects of findings. */
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

  database_answers: { said: 'The database answers (PostgreSQL {{version}}).' },
  database_away: {
    said: '{{reason}}',
    todo: 'Nothing works without the database. If it is the bundled one, read its log in DATA_DIR; otherwise check DATABASE_URL.',
  },
  replica_near: { said: 'The replica is at most {{seconds}} s behind the primary.' },
  replica_behind: {
    said: 'The replica is more than {{seconds}} s behind the primary.',
    todo: 'Servers read from the primary meanwhile. Check pg_stat_replication on the primary, and the log of the replica.',
  },
  replica_away: {
    said: 'The replica does not answer: {{reason}}',
    todo: 'Servers read from the primary meanwhile. Check DATABASE_READ_URL, and start the replica.',
  },
  replica_other_database: {
    said: 'DATABASE_READ_URL points to a different database than DATABASE_URL.',
    todo: 'Point it to a streaming replica of that database, or remove it: no server starts with this setting.',
  },
  replica_not_a_replica: {
    said: 'DATABASE_READ_URL points to a server that accepts writes, not to a replica.',
    todo: 'Point it to a streaming replica. Until then, servers read everything from the primary.',
  },
  migrations_applied: { said: 'The database has the schema of this version ({{count}} migrations).' },
  migrations_missing: {
    said: 'The database lacks {{count}} of the migrations of this version; the first is {{first}}.',
    todo: 'Stop the servers, run tocsin migrate, and start them.',
  },
  migrations_unknown: {
    said: '{{reason}}',
    todo: 'Run tocsin doctor of the newer version.',
  },

  clock_near: { said: 'The clocks of this machine and the database differ by {{seconds}} s.' },
  clock_off: {
    said: 'The clocks of this machine and the database differ by {{seconds}} s.',
    todo: 'Synchronize both by NTP (timedatectl set-ntp true): sessions, leases and the times of checks depend on them.',
  },
  probe_clocks_near: { said: 'Probe clocks within 2 s of the database: {{count}}' },
  probe_clock_off: {
    said: 'The clock of probe {{probe}} in region {{region}} is {{seconds}} s off.',
    todo: 'Synchronize it by NTP. The results carry the time of the server anyway, but the probe judges certificates by its own clock.',
  },

  key_fits: { said: 'SECRET_KEY decrypts the stored secrets.' },
  key_wrong: { said: '{{reason}}', todo: 'Use the key that the server had when it stored the secrets.' },

  activity_whole: { said: 'The logs of {{organizations}} organizations are intact ({{entries}} entries).' },
  activity_broken: {
    said: '{{log}}: {{reason}}',
    todo: 'Somebody changed the database by hand, or it is damaged. Compare it with a backup, and check who can reach it.',
  },

  folder_fine: { said: '{{path}} belongs to this user, and nobody else can write to it.' },
  folder_unusable: { said: '{{reason}}', todo: 'The server does not start without this folder.' },
  folder_open: {
    said: 'Every user of this machine can write to {{path}} (mode {{mode}}).',
    todo: 'chmod o-w {{path}}',
  },
  key_file_private: { said: 'Only its owner can read {{path}}.' },
  key_file_open: {
    said: 'Other users can read {{path}} (mode {{mode}}).',
    todo: 'chmod 600 {{path}}. If somebody may have read it, run tocsin secret-key rotate.',
  },

  disk_roomy: { said: '{{free}} GiB ({{share}} %) free at {{path}}' },
  disk_low: {
    said: '{{free}} GiB ({{share}} %) free at {{path}}',
    todo: 'Free some space, or keep less: see docs/self-hosting.md#when-the-disk-fills-up.',
  },
  disk_full: {
    said: '{{free}} GiB ({{share}} %) free at {{path}}',
    todo: 'Free some space now: a full database accepts no more results.',
  },
  disk_unreadable: {
    said: 'The free space of {{path}} cannot be read ({{reason}}).',
    todo: 'Set DATA_DIR to a folder that this user may read.',
  },

  mail_accepted: { said: 'The mail server in SMTP_URL accepts the connection.' },
  mail_sent: { said: 'The mail server accepted a message to {{to}}; check that it arrives.' },
  mail_refused: {
    said: '{{reason}}',
    todo: 'Check SMTP_URL, and that this machine can reach the server: see docs/self-hosting.md#mail.',
  },
  mail_not_sent: {
    said: 'No message could be sent to {{to}}: {{reason}}',
    todo: 'Check the address, MAIL_FROM, and the limits of the mail server.',
  },
  mail_absent: {
    said: 'No mail can be sent: SMTP_URL is not set.',
    todo: 'Set SMTP_URL and MAIL_FROM (docs/self-hosting.md#mail): without them Tocsin mails no alarms, and only the operator can reset passwords.',
  },

  dns_answers: { said: 'Name servers that answer: {{count}}' },
  dns_silent: {
    said: 'The name server {{server}} does not answer: {{reason}}',
    todo: 'Check DNS_SERVERS, or the name servers of this machine: checks and notifications need them.',
  },
  dns_none: {
    said: 'This machine has no name server.',
    todo: 'Set DNS_SERVERS, or configure a name server on this machine: without one, no name resolves.',
  },
  base_url_unnamed: { said: 'BASE_URL needs no DNS record ({{host}}).' },
  base_url_resolves: { said: '{{host}} resolves to {{addresses}}' },
  base_url_unresolved: {
    said: '{{host}}, the host in BASE_URL, does not resolve on this machine: {{reason}}',
    todo: 'Links in mails lead to BASE_URL: add a DNS record for the name, or correct BASE_URL.',
  },

  base_url_serves: { said: 'A Tocsin server answers at BASE_URL.' },
  base_url_elsewhere: {
    said: 'Something other than Tocsin answers at BASE_URL ({{reason}}).',
    todo: 'Set BASE_URL to the address that people open, or let the proxy forward it to this server.',
  },
  base_url_unreached: {
    said: 'BASE_URL cannot be reached from this machine: {{reason}}',
    todo: 'Open it on a machine that people use. If it does not load there either, links in alarms lead nowhere.',
  },
  base_url_local: {
    said: 'BASE_URL is {{url}}, which other machines cannot open, but the server listens on {{host}}.',
    todo: 'Set BASE_URL to the address that people open: links in alarms lead there.',
  },
  base_url_differs: {
    said: 'This page was opened at {{opened}}, but BASE_URL is {{url}}.',
    todo: 'Set BASE_URL to the address that people open: links, cookies and passkeys belong to it.',
  },
  proxy_fits: { said: 'TRUST_PROXY and BASE_URL match.' },
  proxy_forwards: {
    said: 'This request came with X-Forwarded-For, but TRUST_PROXY is 0.',
    todo: 'Set TRUST_PROXY to the number of proxies: until then everybody shares the limits of one address.',
  },
  proxy_in_front: {
    said: 'BASE_URL is {{url}} and the server listens on port {{port}}, so there is a proxy in front, but TRUST_PROXY is 0.',
    todo: 'Set TRUST_PROXY to the number of proxies: until then everybody shares the limits of one address.',
  },
  proxy_fewer: {
    said: 'TRUST_PROXY is {{count}}, but this request passed {{passed}}.',
    todo: 'Set TRUST_PROXY to the number of proxies: with too many, anybody can claim any address.',
  },
  proxy_absent: {
    said: 'TRUST_PROXY is {{count}}, but BASE_URL is the address of the server itself.',
    todo: 'Set TRUST_PROXY to the number of proxies: with too many, anybody can claim any address.',
  },

  port_any: { said: 'The server takes any free port (PORT=0).' },
  port_serves: { said: 'A ready server answers at {{address}}.' },
  port_not_ready: { said: 'The server at {{address}} is not ready: {{reason}}', todo: 'Its log says why.' },
  port_foreign: {
    said: 'Something other than Tocsin answers at {{address}} (HTTP {{status}}).',
    todo: 'Stop it, or set PORT to another port.',
  },
  port_no_http: {
    said: 'Something answers at {{address}}, but not as Tocsin does: {{reason}}',
    todo: 'Stop it, or set PORT to another port. If it is a Tocsin server that hangs, its supervisor restarts it.',
  },
  port_silent: {
    said: 'No server answers at {{address}}: {{reason}}',
    todo: 'Start it: tocsin serve. If it runs on another machine, run tocsin doctor there.',
  },

  servers_running: { said: 'Servers on this database: {{count}}; every role has one.' },
  servers_none: {
    said: 'No server is connected to this database.',
    todo: 'Start one: tocsin serve. A server that cannot reach its database says so in its log.',
  },
  role_api_missing: {
    said: 'No server has the role api: nobody can sign in, and links of alarm mails lead nowhere.',
    todo: 'Start one: tocsin serve --roles api, or tocsin serve for every role.',
  },
  role_ingest_missing: {
    said: 'No server has the role ingest: nothing accepts probe results and heartbeat pings.',
    todo: 'Start one: tocsin serve --roles ingest, or tocsin serve for every role.',
  },
  role_jobs_missing: {
    said: 'No server has the role jobs: nobody is notified, and no scheduled job runs.',
    todo: 'Start one: tocsin serve --roles jobs, or tocsin serve for every role.',
  },
  role_pages_missing: {
    said: 'No server has the role pages: nothing serves the status pages of this installation.',
    todo: 'Start one: tocsin serve --roles pages, or tocsin serve for every role.',
  },

  regions_online: { said: 'Regions online: {{count}}' },
  regions_none: {
    said: 'No region is online: nothing is checked.',
    todo: 'Start a probe: set LOCAL_PROBE=on, or run the command on the page of a region.',
  },
  region_offline: {
    said: 'Region {{region}} is offline; monitors that no probe checks from there: {{monitors}}.',
    todo: 'Start its probe, or read the log of the probe: it says why the probe does not reach the server.',
  },
  probe_waiting: {
    said: 'Probe {{probe}} is waiting to be admitted to region {{region}}.',
    todo: 'Admit it on the page of the region, or with tocsin region admit {{region}} {{probe}}.',
  },
  probe_stalled: {
    said: 'Probe {{probe}} in region {{region}} fetches its monitors but delivers no results.',
    todo: 'Read its log, and restart it. The other probes of the region check its monitors meanwhile.',
  },

  channels_none: { said: 'No notification targets are set up.' },
  channels_reached: { said: 'Every address of notification targets can be reached: {{count}}' },
  channel_unreached: {
    said: '{{address}} (targets: {{targets}}, {{kinds}}) cannot be reached: {{reason}}',
    todo: 'Notifications to it do not arrive. Check the address, and the outbound firewall of this machine.',
  },
  channels_skipped: {
    said: '{{count}} further addresses of notification targets were not tried.',
    todo: 'The page of each target shows its last delivery.',
  },

  queues_moving: { said: 'Nothing has waited too long for its first attempt.' },
  deliveries_stuck: {
    said: 'Deliveries to notification targets that no server has attempted yet: {{count}}, the oldest for {{seconds}} s',
    todo: 'Is a server running? Its log says what keeps it from sending.',
  },
  notices_stuck: {
    said: 'Mails and pushes to people that no server has attempted yet: {{count}}, the oldest for {{seconds}} s',
    todo: 'Is a server running? Its log says what keeps it from sending.',
  },
  jobs_stuck: {
    said: 'Jobs that no server has attempted yet: {{count}}, the oldest for {{seconds}} s',
    todo: 'Is a server running? Its log says what keeps it from running them.',
  },

  edge_serves: {
    said: 'The edge at {{address}} has the current configuration; names it serves: {{count}}',
  },
  edge_away: {
    said: 'The edge at {{address}} does not answer: {{reason}}',
    todo: 'Start that Caddy, and check that its admin API listens at CADDY_ADMIN_URL: docs/self-hosting.md#the-edge.',
  },
  edge_refuses: {
    said: 'The edge at {{address}} rejects its configuration: {{reason}}',
    todo: 'Another program may use one of its ports, or its admin API may allow other host names only: docs/self-hosting.md#the-edge.',
  },
  edge_differs: {
    said: 'The edge at {{address}} does not have the current configuration.',
    todo: 'A running server replaces it within ten seconds. If this warning stays, give every server the same BASE_URL, PORT and EDGE_ variables, and let no other Tocsin use this Caddy.',
  },
  edge_port_closed: {
    said: 'The edge does not listen at {{host}} on port {{port}}: {{reason}}',
    todo: 'Check for a firewall, and for a Caddy that listens on another address than its admin API.',
  },
  edge_domain_resolves: { said: 'Names under {{domain}} resolve.' },
  edge_domain_unresolved: {
    said: 'Names under {{domain}} do not resolve on this machine: {{reason}}',
    todo: 'Add a DNS record for *.{{domain}} that points to the edge: the records of custom domains point there.',
  },
} as const satisfies Record<string, Words>;

export type FindingCode = keyof typeof FINDING_WORDS;
export type FindingValues = Readonly<Record<string, string | number>>;
