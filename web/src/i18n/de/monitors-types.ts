/** The monitor types. */
export const monitorsTypes = {
  typeGroups: {
    web: 'Web und APIs',
    network: 'Netzwerk',
    names: 'Zertifikate und Namen',
    servers: 'Server',
    reporting: 'Hosts und Aufgaben',
    combined: 'Zusammengesetzt',
  },
  types: {
    choose: 'Wählen Sie einen Typ',
    newOf: 'Neuer Monitor: {{type}}',
    another: 'Etwas anderes überwachen',
    every: {
      duration: 'alle {{duration}}',
      second: 'jede Sekunde',
      minute: 'jede Minute',
      hour: 'jede Stunde',
      day: 'jeden Tag',
    },
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
      what: 'Verbindet sich mit einem Port und prüft auf Wunsch die Antwort.',
    },
    udp: { name: 'UDP-Dienst', short: 'UDP', what: 'Schickt ein Datagramm und wartet auf die Antwort.' },
    ping: {
      name: 'Ping',
      short: 'Ping',
      what: 'Prüft, ob ein Host erreichbar ist, wie schnell er antwortet und wie viele Pakete verloren gehen.',
    },
    dns: {
      name: 'DNS-Eintrag',
      short: 'DNS',
      what: 'Prüft, ob die DNS-Einträge eines Namens die erwarteten Werte haben.',
    },
    tls: {
      name: 'TLS-Zertifikat',
      short: 'TLS',
      what: 'Warnt, bevor das Zertifikat eines beliebigen Dienstes abläuft.',
    },
    domain: {
      name: 'Domain',
      short: 'Domain',
      what: 'Warnt, bevor die Registrierung einer Domain ausläuft.',
    },
    mail: {
      name: 'Mailserver',
      short: 'Mail',
      what: 'Verbindet sich mit einem SMTP-, IMAP- oder POP3-Server und kann sich anmelden.',
    },
    database: {
      name: 'Datenbank',
      short: 'Datenbank',
      what: 'Meldet sich bei PostgreSQL, MySQL, MariaDB oder Redis an und kann eine Abfrage ausführen.',
    },
    heartbeat: {
      name: 'Lebenszeichen',
      short: 'Lebenszeichen',
      what: 'Für Sicherungen und Cronjobs: Sie rufen eine URL auf. Bleibt ein Aufruf aus, gibt es Alarm.',
    },
    agent: {
      name: 'Messwert eines Hosts',
      short: 'Agent',
      what: 'Ein Schwellenwert für einen Messwert, den ein Agent liefert.',
    },
    service: {
      name: 'Dienst eines Hosts',
      short: 'Dienst',
      what: 'Ein Prozess oder Dienst, den ein Agent überwacht.',
    },
    group: {
      name: 'Gruppe',
      short: 'Gruppe',
      what: 'Mehrere Monitore als einer: fällt aus, wenn einer, einige oder alle ausfallen.',
    },
  },
};
