// What probes say of themselves, and what the assertions of a test expect, in German, by their English sentence. `{{name}}` stands for a value.
export const PROBE_IN_GERMAN = {
  'This machine has no free {{resource}} for the connection ({{code}})':
    'Dieser Rechner hat {{resource}} mehr für die Verbindung frei ({{code}})',
  'This machine forbids the connection ({{code}})': 'Dieser Rechner verbietet die Verbindung ({{code}})',
  'This machine forbids sending to {{address}}': 'Dieser Rechner verbietet es, an {{address}} zu senden',
  'The connection could not be tried: {{code}}': 'Die Verbindung ließ sich nicht versuchen: {{code}}',
  'The network policy of this region does not allow connecting to {{what}} ({{why}})':
    'Die Netzregeln dieser Region erlauben keine Verbindung zu {{what}} ({{why}})',
  'This is the admin API of the edge of this installation, which only Tocsin itself may use':
    'Das ist die Admin-API der Edge dieser Installation; nur Tocsin selbst darf sie nutzen',
  'Tocsin itself listens here: use a check of type http, or one of type tcp that sends nothing':
    'Hier lauscht Tocsin selbst: Nehmen Sie eine Prüfung vom Typ http, oder eine vom Typ tcp, die nichts sendet',
  'Only http and https addresses can be called': 'Nur Adressen mit http und https lassen sich aufrufen',
  'The payload does not fit into one datagram': 'Der Inhalt passt nicht in ein Datagramm',
  'The request cannot be sent as configured ({{code}})':
    'Die Anfrage lässt sich so, wie sie eingestellt ist, nicht senden ({{code}})',
  'The handshake cannot be sent as configured ({{code}})':
    'Der Handshake lässt sich so, wie er eingestellt ist, nicht senden ({{code}})',
  'User name and password must not hold line breaks':
    'Benutzername und Passwort dürfen keine Zeilenumbrüche enthalten',
  'This machine has no name server of its own to ask (DNS_SERVERS)':
    'Dieser Rechner hat keinen eigenen Nameserver, den er fragen könnte (DNS_SERVERS)',
  'The registry of .{{domain}} has no RDAP server: when it ends cannot be known':
    'Die Registrierungsstelle von .{{domain}} hat keinen RDAP-Server: Wann die Registrierung endet, ist nicht zu erfahren',
  'This probe cannot check monitors of type {{type}}: update it':
    'Diese Sonde kann Monitore vom Typ {{type}} nicht prüfen: Aktualisieren Sie sie',
  'The clock of this machine is wrong: the certificate of {{host}} is in force, and by that clock it is not. Set the clock':
    'Die Uhr dieses Rechners geht falsch: Das Zertifikat von {{host}} gilt, nach dieser Uhr aber nicht. Stellen Sie die Uhr',
  'The name servers of this probe do not resolve anything any more. It found: {{found}}':
    'Die Nameserver dieser Sonde lösen nichts mehr auf. Sie fand: {{found}}',
  'None of the canaries answered this probe either, so its own network is cut off. It found: {{found}}':
    'Auch keiner der Kanarienvögel hat dieser Sonde geantwortet; ihr eigenes Netz ist abgeschnitten. Sie fand: {{found}}',
  'This probe was too busy to tell a slow target from its own delay, {{times}} times in a row: from here the state of the target is unknown':
    'Diese Sonde war {{times}}-mal hintereinander zu ausgelastet, um ein langsames Ziel von ihrem eigenen Verzug zu unterscheiden: Von hier aus ist der Zustand des Ziels unbekannt',
  'The check was cancelled': 'Die Prüfung wurde abgebrochen',
  'The check was called off': 'Die Prüfung wurde abgebrochen',
  'Ping monitors do not run on Windows. Run this probe on Linux or macOS.':
    'Ping-Monitore laufen nicht unter Windows. Betreiben Sie diese Sonde unter Linux oder macOS.',
  'An assertion could not be evaluated: {{why}}': 'Eine Regel ließ sich nicht auswerten: {{why}}',
  "{{path}} took longer than {{seconds}} s on the target's answer and was stopped; make it simpler":
    '{{path}} brauchte für die Antwort des Ziels länger als {{seconds}} s und wurde abgebrochen; vereinfachen Sie sie',
  'it waited {{seconds}} s for its turn: {{why}}':
    'sie wartete {{seconds}} s, bis sie an der Reihe war: {{why}}',
  '{{number}} other answers of the same organization were ahead of it':
    '{{number}} andere Antworten derselben Organisation waren vor ihr dran',
  'this probe has too many answers to judge': 'diese Sonde hat zu viele Antworten zu beurteilen',
  'the machine of this probe was too busy to judge it within {{seconds}} s':
    'der Rechner dieser Sonde war zu ausgelastet, um sie innerhalb von {{seconds}} s auszuwerten',
  'This check froze the whole probe ({{times}}), so it is set aside until {{time}}. It is tried at once when its config changes':
    'Diese Prüfung hat die ganze Sonde blockiert ({{times}}) und ist bis {{time}} zurückgestellt. Sie wird sofort versucht, wenn sich ihre Einstellungen ändern',
  "This check took too much of the probe's main loop again and again, so it is set aside until {{time}}. It is tried at once when its config changes":
    'Diese Prüfung hat die Sonde immer wieder zu lange beansprucht und ist bis {{time}} zurückgestellt. Sie wird sofort versucht, wenn sich ihre Einstellungen ändern',
  'This probe holds as many bytes of answers for the checks of this organization as it may; fewer large answers at a time (config.max_body_bytes) leave room':
    'Diese Sonde hält für die Prüfungen dieser Organisation so viele Bytes an Antworten, wie sie darf; weniger große Antworten zugleich (config.max_body_bytes) schaffen Platz',
  'The ping of this machine came to send {{sent}} of {{count}} packets only':
    'Das Programm ping dieses Rechners konnte nur {{sent}} von {{count}} Paketen senden',
  'The ping of this machine said nothing that can be read: {{said}}':
    'Das Programm ping dieses Rechners gab nichts Lesbares aus: {{said}}',
  'ping on this probe’s machine lacks an option that Tocsin needs. Install iputils-ping.':
    'Dem Programm ping auf dem Rechner dieser Sonde fehlt eine Option, die Tocsin braucht. Installieren Sie iputils-ping.',
  'ping may not send ICMP on this probe’s machine. Give it the capability CAP_NET_RAW.':
    'Das Programm ping darf auf dem Rechner dieser Sonde kein ICMP senden. Geben Sie ihm die Capability CAP_NET_RAW.',
  'ping did not end in time on this probe’s machine':
    'Das Programm ping endete auf dem Rechner dieser Sonde nicht rechtzeitig',
  'ping isn’t installed on this probe’s machine. Install iputils-ping.':
    'Das Programm ping ist auf dem Rechner dieser Sonde nicht installiert. Installieren Sie iputils-ping.',
  'ping may not run on this probe’s machine. Allow the probe’s user to run it.':
    'Das Programm ping darf auf dem Rechner dieser Sonde nicht laufen. Erlauben Sie es dem Benutzer der Sonde.',
  '{{port}} is not a port': '{{port}} ist kein Port',
  'config.url is not a ws or wss address': 'config.url ist keine Adresse mit ws oder wss',
  'config.url is not an http or https address': 'config.url ist keine Adresse mit http oder https',
  'config.metadata has a name or value that cannot be sent':
    'config.metadata hat einen Namen oder Wert, der sich nicht senden lässt',
  'config.{{field}} is not {{encoding}}': 'config.{{field}} ist kein {{encoding}}',
  'tls: ca_pem, client_cert_pem and client_key_pem could not be read as PEM, or the key does not fit the certificate':
    'tls: ca_pem, client_cert_pem und client_key_pem ließen sich nicht als PEM lesen, oder der Schlüssel passt nicht zum Zertifikat',
  '{{address}} cannot be pinged.': '{{address}} lässt sich nicht anpingen.',
  '{{host}} is not an IPv{{family}} address': '{{host}} ist keine IPv{{family}}-Adresse',
};

/** What an assertion of a test expects. */
export const EXPECTED_IN_GERMAN = {
  'a connection': 'eine Verbindung',
  'a handshake': 'ein Handshake',
  'a handshake and a valid certificate': 'ein Handshake und ein gültiges Zertifikat',
  'a complete answer': 'eine vollständige Antwort',
  'a check that can be made': 'eine Prüfung, die möglich ist',
  'a name that resolves': 'ein Name, der sich auflösen lässt',
  'a reading': 'ein Messwert',
  'a welcome': 'ein Willkommen',
  'a body in JSON': 'ein Inhalt in JSON',
  'an answer without an error': 'eine Antwort ohne Fehler',
  'any answer': 'irgendeine Antwort',
  'assertions that can be evaluated': 'Regeln, die sich auswerten lassen',
  'at most {{limit}}': 'höchstens {{limit}}',
  'at least {{warn}}, down below {{fail}}': 'mindestens {{warn}}, ausgefallen unter {{fail}}',
  'at least {{warn}}, and never less than {{fail}}': 'mindestens {{warn}}, und nie weniger als {{fail}}',
  'at least one': 'mindestens einer',
  'at least {{limit}}': 'mindestens {{limit}}',
  'contains {{text}}': 'enthält {{text}}',
  'does not contain {{text}}': 'enthält nicht {{text}}',
  'matches {{text}}': 'entspricht {{text}}',
  'does not match {{text}}': 'entspricht nicht {{text}}',
  accepted: 'angenommen',
  'valid now': 'jetzt gültig',
  none: 'keine',
  present: 'vorhanden',
  absent: 'nicht vorhanden',
  registered: 'registriert',
  'equal to {{value}}': 'gleich {{value}}',
  'other than {{value}}': 'anders als {{value}}',
  'above {{value}}': 'über {{value}}',
  'below {{value}}': 'unter {{value}}',
  'containing {{value}}': 'enthält {{value}}',
  'matching {{value}}': 'entspricht {{value}}',
  'as {{user}}': 'als {{user}}',
  'as {{user}}, database {{database}}': 'als {{user}}, Datenbank {{database}}',
  'without a user name, database {{database}}': 'ohne Benutzernamen, Datenbank {{database}}',
  'any of {{values}}': 'einer von {{values}}',
  'all of {{values}}': 'alle von {{values}}',
  'exact of {{values}}': 'genau {{values}}',
  'without a user name': 'ohne Benutzernamen',
};
