export const operatorDoctor = {
  doctor: {
    title: 'Diagnose',
    lead: 'Prüft alles, worauf diese Installation angewiesen ist, und nennt zu jedem Problem die Abhilfe. Verschickt wird nichts, außer Sie verlangen eine Testmail.',
    examine: 'Jetzt prüfen',
    again: 'Erneut prüfen',
    mailTo: 'Testmail senden an',
    mailToHint: 'Optional',
    noAddress: 'Das ist keine Mailadresse.',
    fine: 'Alles in Ordnung',
    warned_one: 'Alles in Ordnung, mit {{count}} Warnung',
    warned_other: 'Alles in Ordnung, mit {{count}} Warnungen',
    failed_one: '{{count}} Fehler gefunden',
    failed_other: '{{count}} Fehler gefunden',
    state: { ok: 'In Ordnung', warn: 'Warnung', fail: 'Fehler' },
    commandLine:
      'Auf dem Rechner prüft tocsin doctor dasselbe und dazu die Aktivitätsprotokolle; der Befehl funktioniert auch, wenn diese Seite nicht lädt.',
    subjects: {
      settings: 'Einstellungen',
      database: 'Datenbank',
      migrations: 'Migrationen',
      clock: 'Uhren',
      secret_key: 'Geheimer Schlüssel',
      activity: 'Protokolle',
      folder: 'Dateien',
      disk: 'Festplatte',
      mail: 'Mail',
      dns: 'DNS',
      proxy: 'Proxy',
      port: 'Port',
      servers: 'Server',
      probes: 'Sonden',
      channels: 'Benachrichtigungsziele',
      queues: 'Warteschlangen',
      edge: 'Edge',
    },
    findings: {
      settings_wrong: { said: '{{problems}}', todo: 'Siehe docs/self-hosting.md#settings.' },
      settings_idle: {
        said: '{{sentence}}',
        todo: 'Berichtigen Sie den Namen, oder entfernen Sie die Variable.',
      },

      database_answers: { said: 'Antwortet (PostgreSQL {{version}}).' },
      database_away: {
        said: '{{reason}}',
        todo: 'Ohne Datenbank geht nichts. Das Protokoll der mitgelieferten liegt in DATA_DIR; prüfen Sie sonst DATABASE_URL.',
      },
      replica_near: { said: 'Das Replikat liegt höchstens {{seconds}} s hinter dem Primärserver zurück.' },
      replica_behind: {
        said: 'Das Replikat liegt mehr als {{seconds}} s hinter dem Primärserver zurück.',
        todo: 'Gelesen wird solange vom Primärserver. Prüfen Sie dort pg_stat_replication, und das Protokoll des Replikats.',
      },
      replica_away: {
        said: 'Das Replikat antwortet nicht: {{reason}}',
        todo: 'Prüfen Sie DATABASE_READ_URL, und starten Sie das Replikat.',
      },
      replica_other_database: {
        said: 'DATABASE_READ_URL zeigt auf eine andere Datenbank als DATABASE_URL.',
        todo: 'Geben Sie die Adresse eines Replikats an.',
      },
      replica_not_a_replica: {
        said: 'DATABASE_READ_URL zeigt auf kein Replikat.',
        todo: 'Geben Sie eines an.',
      },
      migrations_applied: { said: 'Die Datenbank hat das Schema dieser Version ({{count}} Migrationen).' },
      migrations_missing: {
        said: 'Der Datenbank fehlen {{count}} der Migrationen dieser Version; die erste ist {{first}}.',
        todo: 'Halten Sie die Server an, führen Sie tocsin migrate aus, und starten Sie sie wieder.',
      },
      migrations_unknown: { said: '{{reason}}', todo: 'Starten Sie tocsin doctor der neueren Version.' },

      clock_near: { said: 'Die Uhren von Rechner und Datenbank weichen um {{seconds}} s ab.' },
      clock_off: {
        said: 'Die Uhren von Rechner und Datenbank weichen um {{seconds}} s ab.',
        todo: 'Stellen Sie beide per NTP (timedatectl set-ntp true); Sitzungen, Fristen und Prüfzeiten hängen davon ab.',
      },
      probe_clocks_near: { said: 'Uhren von Sonden, die weniger als 2 s abweichen: {{count}}' },
      probe_clock_off: {
        said: 'Die Uhr der Sonde {{probe}} in der Region {{region}} geht um {{seconds}} s falsch.',
        todo: 'Stellen Sie sie per NTP. Die Ergebnisse tragen trotzdem die Zeit des Servers, aber Zertifikate beurteilt die Sonde nach ihrer eigenen Uhr.',
      },

      key_fits: { said: 'Entschlüsselt die gespeicherten Geheimnisse.' },
      key_wrong: {
        said: '{{reason}}',
        todo: 'Verwenden Sie den Schlüssel, mit dem der Server die Geheimnisse gespeichert hat.',
      },

      activity_whole: { said: '{{organizations}} Protokolle sind unversehrt ({{entries}} Einträge).' },
      activity_broken: {
        said: '{{log}}: {{reason}}',
        todo: 'Jemand hat von Hand in die Datenbank geschrieben, oder sie ist beschädigt: Vergleichen Sie mit einer Sicherung, und prüfen Sie, wer Zugang hat.',
      },

      folder_fine: { said: '{{path}} gehört diesem Benutzer, und niemand sonst kann hineinschreiben.' },
      folder_unusable: { said: '{{reason}}', todo: 'Ohne diesen Ordner startet der Server nicht.' },
      folder_open: {
        said: 'Jeder Benutzer dieses Rechners kann in {{path}} schreiben (Rechte {{mode}}).',
        todo: 'chmod o-w {{path}}',
      },
      key_file_private: { said: '{{path}} ist nur für den Eigentümer lesbar.' },
      key_file_open: {
        said: '{{path}} ist für andere lesbar (Rechte {{mode}}).',
        todo: 'chmod 600 {{path}}. Falls jemand sie gelesen haben kann: tocsin secret-key rotate.',
      },

      disk_roomy: { said: '{{free}} GiB ({{share}} %) frei in {{path}}' },
      disk_low: {
        said: '{{free}} GiB ({{share}} %) frei in {{path}}',
        todo: 'Schaffen Sie Platz, oder bewahren Sie weniger auf: siehe docs/self-hosting.md#when-the-disk-fills-up.',
      },
      disk_full: {
        said: '{{free}} GiB ({{share}} %) frei in {{path}}',
        todo: 'Schaffen Sie sofort Platz: Eine Datenbank ohne Platz nimmt keine Ergebnisse mehr an.',
      },
      disk_unreadable: {
        said: 'Der freie Platz von {{path}} lässt sich nicht ermitteln ({{reason}}).',
        todo: 'Setzen Sie DATA_DIR auf einen Ordner, den dieser Benutzer lesen darf.',
      },

      mail_accepted: { said: 'Der Mailserver aus SMTP_URL nimmt die Verbindung an.' },
      mail_sent: {
        said: 'Der Mailserver hat eine Nachricht an {{to}} angenommen; sehen Sie nach, ob sie ankommt.',
      },
      mail_refused: {
        said: '{{reason}}',
        todo: 'Prüfen Sie SMTP_URL, und ob der Server erreichbar ist: siehe docs/self-hosting.md#mail.',
      },
      mail_not_sent: {
        said: 'An {{to}} ließ sich keine Nachricht senden: {{reason}}',
        todo: 'Prüfen Sie die Adresse, MAIL_FROM und die Beschränkungen des Mailservers.',
      },
      mail_absent: {
        said: 'Es können keine Mails verschickt werden: SMTP_URL ist nicht gesetzt.',
        todo: 'Setzen Sie SMTP_URL und MAIL_FROM (docs/self-hosting.md#mail): Ohne sie verschickt Tocsin keine Alarme per Mail, und nur der Betreiber kann Passwörter zurücksetzen.',
      },

      dns_answers: { said: 'Namensserver, die antworten: {{count}}' },
      dns_silent: {
        said: 'Der Namensserver {{server}} antwortet nicht: {{reason}}',
        todo: 'Prüfen Sie DNS_SERVERS oder die Namensserver dieses Rechners; Prüfungen und Benachrichtigungen brauchen sie.',
      },
      dns_none: {
        said: 'Dieser Rechner hat keinen Namensserver.',
        todo: 'Setzen Sie DNS_SERVERS, oder richten Sie auf diesem Rechner einen ein: Ohne ihn lässt sich kein Name auflösen.',
      },
      base_url_unnamed: { said: 'BASE_URL braucht keinen DNS-Eintrag ({{host}}).' },
      base_url_resolves: { said: '{{host}} hat die Adresse {{addresses}}' },
      base_url_unresolved: {
        said: '{{host}}, der Name in BASE_URL, lässt sich auf diesem Rechner nicht auflösen: {{reason}}',
        todo: 'Links in Mails führen zu BASE_URL: Legen Sie einen DNS-Eintrag für den Namen an, oder berichtigen Sie BASE_URL.',
      },

      base_url_serves: { said: 'Unter BASE_URL antwortet ein Tocsin-Server.' },
      base_url_elsewhere: {
        said: 'Unter BASE_URL antwortet etwas anderes als Tocsin ({{reason}}).',
        todo: 'Setzen Sie BASE_URL auf die Adresse, die Menschen öffnen, oder lassen Sie den Proxy sie an diesen Server weitergeben.',
      },
      base_url_unreached: {
        said: 'BASE_URL ist von diesem Rechner aus nicht erreichbar: {{reason}}',
        todo: 'Öffnen Sie die Adresse von dort, wo Ihre Leute sind. Lädt sie auch dort nicht, führen Links in Alarmen ins Leere.',
      },
      base_url_local: {
        said: 'BASE_URL ist {{url}}. Andere Rechner können das nicht öffnen, aber der Server lauscht auf {{host}}.',
        todo: 'Setzen Sie BASE_URL auf die Adresse, die Menschen öffnen: Links in Alarmen führen dorthin.',
      },
      base_url_differs: {
        said: 'Diese Seite wurde unter {{opened}} geöffnet, aber BASE_URL ist {{url}}.',
        todo: 'Setzen Sie BASE_URL auf die Adresse, die Menschen öffnen: Links, Cookies und Passkeys gehören zu ihr.',
      },
      proxy_fits: { said: 'TRUST_PROXY und BASE_URL passen zusammen.' },
      proxy_forwards: {
        said: 'Diese Anfrage kam mit X-Forwarded-For, aber TRUST_PROXY ist 0.',
        todo: 'Setzen Sie TRUST_PROXY auf die Zahl der Proxys: Bis dahin teilen sich alle die Grenzen einer Adresse.',
      },
      proxy_in_front: {
        said: 'BASE_URL ist {{url}}, und der Server lauscht auf Port {{port}}: Davor steht ein Proxy, aber TRUST_PROXY ist 0.',
        todo: 'Setzen Sie TRUST_PROXY auf die Zahl der Proxys: Bis dahin teilen sich alle die Grenzen einer Adresse.',
      },
      proxy_fewer: {
        said: 'TRUST_PROXY ist {{count}}, aber diese Anfrage kam durch {{passed}}.',
        todo: 'Setzen Sie TRUST_PROXY auf die Zahl der Proxys: Bei zu vielen kann jeder jede Adresse vortäuschen.',
      },
      proxy_absent: {
        said: 'TRUST_PROXY ist {{count}}, aber BASE_URL ist die Adresse des Servers selbst.',
        todo: 'Setzen Sie TRUST_PROXY auf die Zahl der Proxys: Bei zu vielen kann jeder jede Adresse vortäuschen.',
      },

      port_any: { said: 'Der Server nimmt einen freien Port (PORT=0).' },
      port_serves: { said: 'Unter {{address}} antwortet ein Server, der bereit ist.' },
      port_not_ready: {
        said: 'Der Server unter {{address}} ist nicht bereit: {{reason}}',
        todo: 'Sein Protokoll sagt, warum.',
      },
      port_foreign: {
        said: 'Unter {{address}} antwortet etwas anderes als Tocsin (HTTP {{status}}).',
        todo: 'Beenden Sie es, oder setzen Sie PORT auf einen anderen.',
      },
      port_no_http: {
        said: 'Unter {{address}} antwortet etwas, aber nicht wie Tocsin: {{reason}}',
        todo: 'Beenden Sie es, oder setzen Sie PORT auf einen anderen; einen Tocsin-Server, der hängt, startet sein Aufseher neu.',
      },
      port_silent: {
        said: 'Unter {{address}} antwortet kein Server: {{reason}}',
        todo: 'Starten Sie ihn: tocsin serve. Läuft er auf einem anderen Rechner, führen Sie tocsin doctor dort aus.',
      },

      servers_running: { said: 'Server an dieser Datenbank: {{count}}; jede Rolle hat einen.' },
      servers_none: {
        said: 'Kein Server ist mit dieser Datenbank verbunden.',
        todo: 'Starten Sie einen: tocsin serve. Ein Server, der seine Datenbank nicht erreicht, sagt das in seinem Protokoll.',
      },
      role_api_missing: {
        said: 'Kein Server hat die Rolle api: Niemand kann sich anmelden, und die Links in Alarmmails führen ins Leere.',
        todo: 'Starten Sie einen: tocsin serve --roles api, oder tocsin serve für alle Rollen.',
      },
      role_ingest_missing: {
        said: 'Kein Server hat die Rolle ingest: Ergebnisse von Sonden und Lebenszeichen werden nicht angenommen.',
        todo: 'Starten Sie einen: tocsin serve --roles ingest, oder tocsin serve für alle Rollen.',
      },
      role_jobs_missing: {
        said: 'Kein Server hat die Rolle jobs: Niemand wird benachrichtigt, und kein geplanter Auftrag läuft.',
        todo: 'Starten Sie einen: tocsin serve --roles jobs, oder tocsin serve für alle Rollen.',
      },
      role_pages_missing: {
        said: 'Kein Server hat die Rolle pages: Die Statusseiten dieser Installation sind nicht zu sehen.',
        todo: 'Starten Sie einen: tocsin serve --roles pages, oder tocsin serve für alle Rollen.',
      },

      regions_online: { said: 'Regionen online: {{count}}' },
      regions_none: {
        said: 'Keine Region ist online: Nichts wird geprüft.',
        todo: 'Starten Sie eine Sonde: Setzen Sie LOCAL_PROBE=on, oder führen Sie den Befehl auf der Seite einer Region aus.',
      },
      region_offline: {
        said: 'Die Region {{region}} ist offline. Monitore, die von dort niemand prüft: {{monitors}}.',
        todo: 'Starten Sie ihre Sonde, oder lesen Sie deren Protokoll: Es sagt, warum sie den Server nicht erreicht.',
      },
      probe_waiting: {
        said: 'Die Sonde {{probe}} wartet auf Zulassung zur Region {{region}}.',
        todo: 'Lassen Sie sie auf der Seite der Region zu, oder mit tocsin region admit {{region}} {{probe}}.',
      },
      probe_stalled: {
        said: 'Die Sonde {{probe}} in der Region {{region}} fragt nach Monitoren, liefert aber keine Ergebnisse.',
        todo: 'Lesen Sie ihr Protokoll, und starten Sie sie neu; die anderen Sonden der Region prüfen ihre Monitore solange mit.',
      },

      channels_none: { said: 'Es sind keine Benachrichtigungsziele eingerichtet.' },
      channels_reached: { said: 'Jede Adresse von Benachrichtigungszielen ist erreichbar: {{count}}' },
      channel_unreached: {
        said: '{{address}} (Ziele: {{targets}}, {{kinds}}) ist nicht erreichbar: {{reason}}',
        todo: 'Benachrichtigungen dorthin kommen nicht an. Prüfen Sie die Adresse, und ob eine Firewall ausgehende Verbindungen dieses Rechners sperrt.',
      },
      channels_skipped: {
        said: '{{count}} weitere Adressen von Benachrichtigungszielen wurden nicht versucht.',
        todo: 'Die Seite jedes Ziels zeigt die letzte Zustellung.',
      },

      queues_moving: { said: 'Nichts wartet zu lange auf den ersten Versuch.' },
      deliveries_stuck: {
        said: 'Zustellungen an Benachrichtigungsziele warten auf einen Versuch, am längsten seit {{seconds}} s: {{count}}',
        todo: 'Läuft ein Server? Sein Protokoll sagt, was ihn am Senden hindert.',
      },
      notices_stuck: {
        said: 'E-Mails und Push-Mitteilungen warten auf einen Versuch, am längsten seit {{seconds}} s: {{count}}',
        todo: 'Läuft ein Server? Sein Protokoll sagt, was ihn am Senden hindert.',
      },
      jobs_stuck: {
        said: 'Gespeicherte Aufträge warten auf einen Versuch, am längsten seit {{seconds}} s: {{count}}',
        todo: 'Läuft ein Server? Sein Protokoll sagt, was ihn am Ausführen hindert.',
      },

      edge_serves: { said: 'Der Edge unter {{address}} ist auf dem neuesten Stand; Namen: {{count}}' },
      edge_away: {
        said: 'Der Edge unter {{address}} antwortet nicht: {{reason}}',
        todo: 'Starten Sie diesen Caddy, und sehen Sie nach, ob seine Admin-API dort lauscht, wo CADDY_ADMIN_URL es sagt: docs/self-hosting.md#the-edge.',
      },
      edge_refuses: {
        said: 'Der Edge unter {{address}} nimmt seine Konfiguration nicht an: {{reason}}',
        todo: 'Oft hat ein anderes Programm einen seiner Ports, oder seine Admin-API lässt nur andere Namen zu: docs/self-hosting.md#the-edge.',
      },
      edge_differs: {
        said: 'Der Edge unter {{address}} hat nicht die aktuelle Konfiguration.',
        todo: 'Ein laufender Server ersetzt sie binnen zehn Sekunden. Bleibt die Warnung, geben Sie jedem Server dieselben Werte für BASE_URL, PORT und die EDGE_-Variablen, und lassen Sie kein anderes Tocsin diesen Caddy verwenden.',
      },
      edge_port_closed: {
        said: 'Der Edge lauscht unter {{host}} nicht auf Port {{port}}: {{reason}}',
        todo: 'Prüfen Sie, ob eine Firewall ihn sperrt oder der Caddy auf einer anderen Adresse lauscht als seine Admin-API.',
      },
      edge_domain_resolves: { said: 'Namen unter {{domain}} lassen sich auflösen.' },
      edge_domain_unresolved: {
        said: 'Namen unter {{domain}} lassen sich auf diesem Rechner nicht auflösen: {{reason}}',
        todo: 'Legen Sie einen DNS-Eintrag für *.{{domain}} an, der auf den Edge zeigt: Die Einträge eigener Domains zeigen dorthin.',
      },
    },
  },
};
