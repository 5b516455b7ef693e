/** Was die Regionen zu Beginn einer Störung nachgesehen haben. */
export const capsule = {
  capsule: {
    title: 'Diagnose',
    lead: 'Diese Angaben haben die Regionen, die den Ausfall sahen, einmalig gleich nach Beginn der Störung erhoben. Sie ergänzen die Belege und ändern nichts an ihnen.',
    region: 'Nachgesehen von {{region}}',
    gathering: 'wird gerade nachgesehen…',
    unreadable: 'Es ist angekommen, lässt sich aber nicht anzeigen.',
    gathered: '{{host}}, nachgesehen von {{region}} um {{time}}',
    none: {
      too_many: 'Nicht nachgesehen: In einer Minute haben zu viele Störungen begonnen.',
      no_answer:
        'Es kam nichts: Keine Sonde dieser Region hat in zwei Minuten geantwortet. Ältere Sonden können es nicht.',
    },
    parts: {
      dns: 'DNS',
      connections: 'Verbindung zu jeder Adresse',
      tls: 'Zertifikate',
      route: 'Weg',
      response: 'Antwort',
    },
    why: {
      address: 'Das Ziel ist eine IP-Adresse: Es gibt keinen Namen aufzulösen.',
      no_tls: 'Das Ziel nutzt kein TLS.',
      no_http: 'Es ist kein HTTP-Monitor.',
      method: 'Nicht noch einmal gesendet: Die Anfrage könnte etwas ändern.',
      no_port: 'Monitore dieser Art verbinden sich mit keinem Port.',
      unresolved: 'Der Name führte zu keiner Adresse.',
      no_tool: 'traceroute fehlt auf dem Rechner der Sonde oder darf dort nicht laufen.',
      failed: 'Es ließ sich nicht nachsehen.',
      off: 'Nicht noch einmal gesendet: Dieser Monitor hebt keine Antworten auf.',
    },
    zone: 'Zone {{zone}}, bedient von {{servers}}',
    connected: 'verbunden in {{time}}',
    trusted: 'Kette und Name werden anerkannt.',
    certificate: 'ausgestellt von {{issuer}}, gültig vom {{from}} bis {{to}}',
    names: 'für {{names}}',
    routeTo: 'zu {{address}}, mit traceroute von der Sonde aus',
    privateHop: 'privates Netz',
    again: 'Dieselbe Anfrage noch einmal: Sie kann inzwischen anders beantwortet werden.',
  },
};
