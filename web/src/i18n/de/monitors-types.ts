/** The monitor types. */
export const monitorsTypes = {
  typeGroups: {
    web: 'Web und APIs',
    network: 'Netzwerk',
    names: 'Zertifikate und Namen',
    servers: 'Server',
    reporting: 'Was sich selbst meldet',
    combined: 'Zusammengesetzt',
  },
  types: {
    choose: 'Wählen Sie eine Art',
    newOf: 'Neuer Monitor: {{type}}',
    another: 'Etwas anderes überwachen',
    every: 'alle {{duration}}',
    members_one: '{{count, number}} Monitor',
    members_other: '{{count, number}} Monitore',
    http: {
      name: 'Website oder API',
      short: 'HTTP',
      what: 'Ruft eine URL auf und prüft Status, Inhalt, Header und Zertifikat.',
    },
    websocket: {
      name: 'WebSocket',
      short: 'WebSocket',
      what: 'Öffnet einen WebSocket und tauscht auf Wunsch eine Nachricht aus.',
    },
    grpc: {
      name: 'gRPC-Dienst',
      short: 'gRPC',
      what: 'Fragt einen Dienst nach seinem Zustand (grpc.health.v1).',
    },
    tcp: {
      name: 'TCP-Port',
      short: 'TCP',
      what: 'Verbindet sich mit einem Port und prüft auf Wunsch, was er sagt.',
    },
    udp: { name: 'UDP-Dienst', short: 'UDP', what: 'Schickt ein Datagramm und wartet auf die Antwort.' },
    ping: {
      name: 'Ping',
      short: 'Ping',
      what: 'Prüft, ob ein Host erreichbar ist, wie schnell, und wie viele Pakete verloren gehen.',
    },
    dns: {
      name: 'DNS-Eintrag',
      short: 'DNS',
      what: 'Prüft, ob sich ein Name zu den erwarteten Werten auflöst.',
    },
    tls: {
      name: 'TLS-Zertifikat',
      short: 'TLS',
      what: 'Warnt, bevor ein Zertifikat abläuft, welcher Dienst es auch nutzt.',
    },
    domain: {
      name: 'Domain',
      short: 'Domain',
      what: 'Warnt, bevor die Registrierung einer Domain ausläuft.',
    },
    mail: {
      name: 'Mailserver',
      short: 'Mail',
      what: 'Begrüßt einen SMTP-, IMAP- oder POP3-Server und kann sich anmelden.',
    },
    database: {
      name: 'Datenbank',
      short: 'Datenbank',
      what: 'Meldet sich bei PostgreSQL, MySQL, MariaDB oder Redis an und kann eine Abfrage ausführen.',
    },
    heartbeat: {
      name: 'Lebenszeichen',
      short: 'Lebenszeichen',
      what: 'Für Sicherungen und Cronjobs: Sie rufen eine URL auf, und Schweigen ist der Alarm.',
    },
    agent: {
      name: 'Messwert eines Hosts',
      short: 'Agent',
      what: 'Eine Schwelle für das, was ein Agent misst.',
    },
    service: {
      name: 'Dienst eines Hosts',
      short: 'Dienst',
      what: 'Ein Prozess oder Dienst, auf den ein Agent achtet.',
    },
    group: {
      name: 'Gruppe',
      short: 'Gruppe',
      what: 'Mehrere Monitore als einer: fällt aus, wenn einer, einige oder alle es tun.',
    },
  },
};
