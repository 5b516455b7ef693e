// What probes say of a target that fails, in German, by their English sentence. `{{name}}` stands for a value.
export const TARGET_IN_GERMAN = {
  // Connection
  '{{where}} refused the connection': '{{where}} hat die Verbindung abgelehnt',
  '{{where}} reset the connection': '{{where}} hat die Verbindung zurückgesetzt',
  'No route to {{where}} ({{code}}): the network or the host is unreachable from here':
    'Kein Weg zu {{where}} ({{code}}): Netz oder Host sind von hier nicht erreichbar',
  'No route to {{where}}: the network or the host is unreachable from here':
    'Kein Weg zu {{where}}: Netz oder Host sind von hier nicht erreichbar',
  'No connection to {{where}} within the time limit':
    'Keine Verbindung zu {{where}} innerhalb der Zeitgrenze',

  // DNS
  'The name {{name}} does not exist (NXDOMAIN){{but}}': 'Der Name {{name}} existiert nicht (NXDOMAIN){{but}}',
  'The name {{name}} has no {{what}}': 'Der Name {{name}} hat {{what}}',
  'The name {{name}} exists; expected {{rcode}}': 'Der Name {{name}} existiert; erwartet: {{rcode}}',
  'The name servers failed on {{name}} (SERVFAIL)': 'Die Nameserver sind an {{name}} gescheitert (SERVFAIL)',
  'The name server failed on {{name}} (SERVFAIL){{but}}':
    'Der Nameserver ist an {{name}} gescheitert (SERVFAIL){{but}}',
  'The name server refused to answer for {{name}} (REFUSED){{but}}':
    'Der Nameserver verweigert die Antwort zu {{name}} (REFUSED){{but}}',
  'The name server answered {{rcode}} for {{name}}{{but}}':
    'Der Nameserver antwortete {{rcode}} zu {{name}}{{but}}',
  'The name server {{where}} did not answer for {{name}} in time':
    'Der Nameserver {{where}} hat zu {{name}} nicht rechtzeitig geantwortet',
  'The host is not a valid DNS name': 'Der Host ist kein gültiger DNS-Name',
  'No name server could be reached to resolve {{name}}':
    'Kein Nameserver war erreichbar, um {{name}} aufzulösen',
  'The name {{name}} could not be resolved ({{code}})':
    'Der Name {{name}} ließ sich nicht auflösen ({{code}})',
  'No answer from DNS for {{name}} in time': 'Keine rechtzeitige DNS-Antwort zu {{name}}',
  '{{where}} sent an answer that cannot be used: {{why}}':
    '{{where}} hat eine unbrauchbare Antwort geschickt: {{why}}',
  '{{answered}}; expected any of {{wanted}}': '{{answered}}; erwartet: einer von {{wanted}}',
  '{{answered}}; missing {{wanted}}': '{{answered}}; es fehlt: {{wanted}}',
  '{{answered}}; not expected {{wanted}}': '{{answered}}; nicht erwartet: {{wanted}}',

  // TLS
  'The {{certificate}} of {{host}} expired on {{time}}':
    'Das {{certificate}} von {{host}} ist am {{time}} abgelaufen',
  'The {{certificate}} of {{host}} is not valid before {{time}}':
    'Das {{certificate}} von {{host}} gilt erst ab {{time}}',
  'The {{certificate}} of {{host}} expires on {{time}}, in {{days}}; {{status}} below {{least}} days':
    'Das {{certificate}} von {{host}} läuft am {{time}} ab, in {{days}}; {{status}} unter {{least}} Tagen',
  'The certificate of {{host}} expires on {{time}}, in {{number}} days; at least {{least}} are asked for (config.tls.min_days_left)':
    'Das Zertifikat von {{host}} läuft am {{time}} ab, in {{number}} Tagen; verlangt sind mindestens {{least}} (config.tls.min_days_left)',
  'The certificate is for {{names}}, not for {{host}}':
    'Das Zertifikat gilt für {{names}}, nicht für {{host}}',
  'The certificate of {{host}} is self-signed and not trusted here':
    'Das Zertifikat von {{host}} ist selbst signiert; ihm wird hier nicht vertraut',
  'The certificate chain of {{host}} ends in a root that is not trusted here':
    'Die Zertifikatskette von {{host}} endet in einer Wurzel, der hier nicht vertraut wird',
  'The issuer of the certificate of {{host}} ({{issuer}}) is not trusted here, or the server does not send the intermediate certificate':
    'Dem Aussteller des Zertifikats von {{host}} ({{issuer}}) wird hier nicht vertraut, oder der Server schickt das Zwischenzertifikat nicht mit',
  'The certificate of {{host}} was not accepted ({{code}})':
    'Das Zertifikat von {{host}} wurde nicht akzeptiert ({{code}})',
  '{{host}} presented no certificate': '{{host}} hat kein Zertifikat vorgelegt',
  '{{host}} did not answer in TLS: is it a plain-text port?':
    '{{host}} hat nicht in TLS geantwortet: Ist es ein Klartext-Port?',
  '{{host}} demands a client certificate that it accepts':
    '{{host}} verlangt ein Client-Zertifikat, das es akzeptiert',
  'The TLS handshake with {{host}} failed ({{code}})':
    'Der TLS-Handshake mit {{host}} ist gescheitert ({{code}})',
  'The TLS handshake with {{host}} took longer than the time limit':
    'Der TLS-Handshake mit {{host}} dauerte länger als die Zeitgrenze',

  '{{host}} closed the connection during the TLS handshake':
    '{{host}} hat die Verbindung während des TLS-Handshakes geschlossen',
  '{{host}} broke the TLS handshake ({{code}})': '{{host}} hat den TLS-Handshake abgebrochen ({{code}})',

  // HTTP
  'Answered {{status}}; expected {{wanted}}': 'Antwort {{status}}; erwartet: {{wanted}}',
  '{{host}} did not answer completely within the time limit':
    '{{host}} hat innerhalb der Zeitgrenze nicht vollständig geantwortet',
  'The headers of the answer of {{host}} are larger than 32 KiB':
    'Die Header der Antwort von {{host}} sind größer als 32 KiB',
  '{{host}} did not answer in valid HTTP ({{code}})':
    '{{host}} hat nicht in gültigem HTTP geantwortet ({{code}})',
  '{{host}} switched to another protocol (101)': '{{host}} ist zu einem anderen Protokoll gewechselt (101)',
  '{{host}} closed the connection before the answer was complete':
    '{{host}} hat die Verbindung geschlossen, bevor die Antwort vollständig war',
  '{{host}} sent more than {{number}} informational answers (1xx) and no other':
    '{{host}} hat mehr als {{number}} informative Antworten (1xx) geschickt und keine andere',
  'More than {{number}} redirects; the last one came from {{host}}':
    'Mehr als {{number}} Weiterleitungen; die letzte kam von {{host}}',
  '{{host}} redirects to no valid address': '{{host}} leitet an keine gültige Adresse weiter',
  '{{host}} redirects to port 0': '{{host}} leitet an Port 0 weiter',
  '{{host}} redirects to {{scheme}}, which is neither http nor https':
    '{{host}} leitet an {{scheme}} weiter, das weder http noch https ist',
  'The body has more than one content-encoding': 'Der Inhalt hat mehr als ein Content-Encoding',
  'The body has a content-encoding other than gzip, deflate and br':
    'Der Inhalt hat ein anderes Content-Encoding als gzip, deflate und br',
  'The body could not be decompressed ({{encoding}})': 'Der Inhalt ließ sich nicht entpacken ({{encoding}})',
  'The body is larger than {{number}} bytes (config.max_body_bytes), so it cannot be judged':
    'Der Inhalt ist größer als {{number}} Bytes (config.max_body_bytes) und lässt sich so nicht beurteilen',
  'The body came in more than {{number}} tiny pieces, so it cannot be judged':
    'Der Inhalt kam in mehr als {{number}} winzigen Stücken und lässt sich so nicht beurteilen',
  'The body contains {{text}}': 'Der Inhalt enthält {{text}}',
  'The body does not contain {{text}}': 'Der Inhalt enthält {{text}} nicht',
  'The body does not match {{text}}': 'Der Inhalt entspricht nicht {{text}}',
  'The header {{name}} is absent; expected {{expected}}': 'Der Header {{name}} fehlt; erwartet: {{expected}}',
  'The header {{name}} is present; expected {{expected}}':
    'Der Header {{name}} ist vorhanden; erwartet: {{expected}}',
  'The header {{name}} has another value; expected {{expected}}':
    'Der Header {{name}} hat einen anderen Wert; erwartet: {{expected}}',
  '{{path}} is absent; expected {{expected}}': '{{path}} fehlt; erwartet: {{expected}}',
  '{{path}} selects {{number}} values; expected {{expected}}':
    '{{path}} wählt {{number}} Werte aus; erwartet: {{expected}}',
  '{{path}} is a text of {{number}} characters; expected {{expected}}':
    '{{path}} ist ein Text aus {{number}} Zeichen; erwartet: {{expected}}',
  '{{path}} is an array of {{number}}; expected {{expected}}':
    '{{path}} ist ein Array aus {{number}}; erwartet: {{expected}}',
  '{{path}} is an object; expected {{expected}}': '{{path}} ist ein Objekt; erwartet: {{expected}}',
  '{{path}} is {{value}}; expected {{expected}}': '{{path}} ist {{value}}; erwartet: {{expected}}',
  'The body is not JSON': 'Der Inhalt ist kein JSON',

  // Other protocols
  '{{who}} answered {{received}} of {{sent}} pings, {{pct}} lost; at most {{most}} % are allowed{{routers}}':
    '{{who}} hat {{received}} von {{sent}} Pings beantwortet, {{pct}} verloren; erlaubt sind höchstens {{most}} %{{routers}}',
  '{{who}} answered {{received}} of {{sent}} pings, {{pct}} lost; degraded from {{most}} %':
    '{{who}} hat {{received}} von {{sent}} Pings beantwortet, {{pct}} verloren; beeinträchtigt ab {{most}} %',
  '{{who}} answered none of {{sent}} pings': '{{who}} hat keinen von {{sent}} Pings beantwortet',
  'No way to {{who}}': 'Kein Weg zu {{who}}',
  'Took {{number}} ms; degraded after {{limit}} ms': '{{number}} ms; beeinträchtigt ab {{limit}} ms',
  '{{where}} did not answer within the time limit':
    '{{where}} hat innerhalb der Zeitgrenze nicht geantwortet',
  '{{where}} did not answer within the time limit; over UDP nobody says whether it was heard':
    '{{where}} hat innerhalb der Zeitgrenze nicht geantwortet; über UDP erfährt niemand, ob die Anfrage ankam',
  'No whole answer within the time limit': 'Keine vollständige Antwort innerhalb der Zeitgrenze',
  '{{where}} closed the connection before it answered':
    '{{where}} hat die Verbindung geschlossen, ohne zu antworten',
  '{{where}} reset the connection before it answered':
    '{{where}} hat die Verbindung zurückgesetzt, ohne zu antworten',
  '{{where}} sent more than {{number}} bytes where a short answer belongs':
    '{{where}} hat mehr als {{number}} Bytes geschickt, wo eine kurze Antwort hingehört',
  '{{where}} sent more than {{number}} pieces where a short answer belongs':
    '{{where}} hat mehr als {{number}} Stücke geschickt, wo eine kurze Antwort hingehört',
  '{{where}} sent more than {{number}} bytes without the answer':
    '{{where}} hat mehr als {{number}} Bytes geschickt, ohne die Antwort',
  '{{where}} sent a line of more than {{number}} bytes':
    '{{where}} hat eine Zeile von mehr als {{number}} Bytes geschickt',
  '{{where}} sent {{number}} bytes more than its answer before TLS':
    '{{where}} hat vor TLS {{number}} Bytes mehr als seine Antwort geschickt',
  'The first {{number}} bytes that {{host}} sent do not contain what is expected (config.expect)':
    'Die ersten {{number}} Bytes von {{host}} enthalten nicht, was erwartet wird (config.expect)',
  'The answer of {{where}}, {{number}} bytes, does not contain what is expected (config.expect)':
    'Die Antwort von {{where}}, {{number}} Bytes, enthält nicht, was erwartet wird (config.expect)',
  'The registry could not be asked: {{why}}': 'Die Registrierungsstelle ließ sich nicht fragen: {{why}}',
  'The registry at {{host}} answered {{said}}': 'Die Registrierungsstelle bei {{host}} antwortete {{said}}',
  'The registry at {{host}} did not answer in JSON':
    'Die Registrierungsstelle bei {{host}} hat nicht in JSON geantwortet',
  'The registry at {{host}} did not answer with a domain (RFC 9083)':
    'Die Registrierungsstelle bei {{host}} hat nicht mit einer Domain geantwortet (RFC 9083)',
  'The registry at {{host}} does not say when {{name}} expires':
    'Die Registrierungsstelle bei {{host}} sagt nicht, wann {{name}} abläuft',
  'The list of registries at {{host}} could not be read (status {{status}})':
    'Die Liste der Registrierungsstellen bei {{host}} ließ sich nicht lesen (Status {{status}})',
  'The registry knows no registration of {{name}}':
    'Die Registrierungsstelle kennt keine Registrierung von {{name}}',
  'The registration of {{name}} expired on {{time}}':
    'Die Registrierung von {{name}} ist am {{time}} abgelaufen',
  'The registration of {{name}} expires on {{time}}, in {{number}} days':
    'Die Registrierung von {{name}} läuft am {{time}} ab, in {{number}} Tagen',
  '{{host}} refuses to talk: {{said}}': '{{host}} verweigert das Gespräch: {{said}}',
  '{{host}} does not offer TLS on this port ({{why}})':
    '{{host}} bietet auf diesem Port kein TLS an ({{why}})',
  '{{host}} refuses user name and password{{code}}': '{{host}} lehnt Benutzername und Passwort ab{{code}}',
  'Nobody can sign in at {{host}} this way now ({{why}})':
    'An {{host}} kann sich auf diesem Weg gerade niemand anmelden ({{why}})',
  '{{host}} does not speak {{protocol}}: it said {{said}}':
    '{{host}} spricht kein {{protocol}}: Es sagte {{said}}',
  '{{host}} took the sign-in as made before TLS stood':
    '{{host}} hielt die Anmeldung für erfolgt, bevor TLS stand',
  '{{host}} does not say what it can: {{said}}': '{{host}} sagt nicht, was es kann: {{said}}',
  '{{host}} did not answer the sign-in as its protocol demands':
    '{{host}} hat auf die Anmeldung nicht so geantwortet, wie das Protokoll es verlangt',
  '{{host}} did not answer as a {{engine}} server does':
    '{{host}} hat nicht wie ein {{engine}}-Server geantwortet',
  '{{host}} does not speak the protocol of PostgreSQL': '{{host}} spricht nicht das Protokoll von PostgreSQL',
  '{{host}} did not answer in gRPC{{said}}': '{{host}} hat nicht in gRPC geantwortet{{said}}',
  '{{host}} does not speak HTTP/2, which gRPC needs': '{{host}} spricht kein HTTP/2, das gRPC braucht',
  '{{host}} does not implement grpc.health.v1{{said}}': '{{host}} implementiert grpc.health.v1 nicht{{said}}',
  '{{host}} answered gRPC status {{code}} ({{name}}){{said}}':
    '{{host}} antwortete mit dem gRPC-Status {{code}} ({{name}}){{said}}',
  '{{host}} knows no service "{{service}}" (config.service)':
    '{{host}} kennt keinen Dienst "{{service}}" (config.service)',
  'The service "{{service}}" is {{serving}}': 'Der Dienst "{{service}}" ist {{serving}}',
  'The server as a whole is {{serving}}': 'Der Server als Ganzes ist {{serving}}',
  'The handshake was answered with {{status}}; expected 101{{redirects}}':
    'Antwort auf den Handshake: {{status}}; erwartet: 101{{redirects}}',
  'The server chose {{subprotocol}}; expected {{wanted}}':
    'Der Server wählte {{subprotocol}}; erwartet: {{wanted}}',
  '{{host}} did not answer the handshake as a WebSocket server does: {{why}}':
    '{{host}} hat auf den Handshake nicht wie ein WebSocket-Server geantwortet: {{why}}',
  '{{host}} closed the connection ({{code}}) before the expected message came':
    '{{host}} hat die Verbindung geschlossen ({{code}}), bevor die erwartete Nachricht kam',
  '{{host}} broke the WebSocket protocol ({{code}})':
    '{{host}} hat gegen das WebSocket-Protokoll verstoßen ({{code}})',
  'No text message of {{host}} contains what is expected (config.expect)':
    'Keine Textnachricht von {{host}} enthält, was erwartet wird (config.expect)',

  // Heartbeats and hosts
  'started at {{time}} and has not finished within {{span}}':
    'gestartet um {{time}} und nach {{span}} nicht fertig',
  'no ping since {{last}}; it was due at {{time}}': 'kein Ping seit {{last}}; fällig war er um {{time}}',
  'reported a failure at {{time}}': 'meldete um {{time}} einen Fehlschlag',
  'reported exit code {{code}} at {{time}}': 'meldete um {{time}} den Exit-Code {{code}}',
  'no heartbeat since {{time}}': 'kein Lebenszeichen seit {{time}}',
};

/** What a name has in DNS: the first part of a longer sentence. */
export const ANSWERED_IN_GERMAN = {
  '{{name}} has the {{type}} record {{values}}': '{{name}} hat den {{type}}-Eintrag {{values}}',
  '{{name}} has the {{type}} records {{values}}': '{{name}} hat die {{type}}-Einträge {{values}}',
};
