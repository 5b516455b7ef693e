/** The monitor types. */
export const monitorsTypes = {
  typeGroups: {
    web: 'Web and APIs',
    network: 'Network',
    names: 'Certificates and names',
    servers: 'Servers',
    reporting: 'Hosts and jobs',
    combined: 'Combined',
  },
  types: {
    choose: 'Choose a type',
    newOf: 'New monitor: {{type}}',
    another: 'Watch something else',
    every: {
      duration: 'every {{duration}}',
      second: 'every second',
      minute: 'every minute',
      hour: 'every hour',
      day: 'every day',
    },
    members_one: '{{count, number}} monitor',
    members_other: '{{count, number}} monitors',
    http: {
      name: 'Website or API',
      short: 'HTTP',
      what: 'Calls a URL and checks status, content, headers and certificate.',
    },
    websocket: {
      name: 'WebSocket',
      short: 'WebSocket',
      what: 'Opens a WebSocket and, if you like, exchanges a message.',
    },
    grpc: { name: 'gRPC service', short: 'gRPC', what: 'Queries the health of a service (grpc.health.v1).' },
    tcp: {
      name: 'TCP port',
      short: 'TCP',
      what: 'Connects to a port and, if you like, checks the response.',
    },
    udp: { name: 'UDP service', short: 'UDP', what: 'Sends a datagram and waits for the response.' },
    ping: {
      name: 'Ping',
      short: 'Ping',
      what: 'Checks whether a host is reachable, how fast, and how many packets are lost.',
    },
    dns: { name: 'DNS record', short: 'DNS', what: 'Checks that a name resolves to the expected values.' },
    tls: {
      name: 'TLS certificate',
      short: 'TLS',
      what: 'Warns before a certificate expires, wherever it is served.',
    },
    domain: { name: 'Domain', short: 'Domain', what: 'Warns before the registration of a domain expires.' },
    mail: {
      name: 'Mail server',
      short: 'Mail',
      what: 'Connects to an SMTP, IMAP or POP3 server, and can sign in.',
    },
    database: {
      name: 'Database',
      short: 'Database',
      what: 'Signs in to PostgreSQL, MySQL, MariaDB or Redis, and can run a query.',
    },
    heartbeat: {
      name: 'Heartbeat',
      short: 'Heartbeat',
      what: 'For backups and cron jobs: they call a URL, and a missed call raises the alarm.',
    },
    agent: {
      name: 'Host reading',
      short: 'Agent',
      what: 'A threshold on a value that a host agent measures.',
    },
    service: {
      name: 'Host service',
      short: 'Service',
      what: 'A process or service that a host agent watches.',
    },
    group: {
      name: 'Group',
      short: 'Group',
      what: 'Several monitors as one: fails when one, some or all of them do.',
    },
  },
};
