export const shell = {
  shell: {
    mark: 'Tocsin, alles ruhig',
    markRinging: 'Tocsin läutet: Es gibt offene Störungen',
    skip: 'Zum Inhalt springen',
    switch: 'Organisation oder Projekt wechseln',
    noProject: 'Kein Projekt',
    projects: 'Projekte',
    manageProjects: 'Projekte verwalten',
    allProjects: 'Alle Projekte',
    organizations: 'Organisationen',
    newOrganization: 'Neue Organisation',
    search: 'Projekte und Organisationen suchen',
    nothingFound: 'Nichts gefunden',
    current: 'gewählt',
    account: 'Konto und Einstellungen',
    appearance: { label: 'Darstellung', auto: 'Auto', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    reference: 'API-Referenz',
    signOut: 'Abmelden',
    nav: {
      label: 'Hauptnavigation',
      monitors: 'Monitore',
      incidents: 'Störungen',
      onCall: 'Bereitschaft',
      notifications: 'Meldungen',
      more: 'Mehr',
    },
    openIncidents_one: 'offene Störung',
    openIncidents_other: 'offene Störungen',
    live: {
      live: 'Live',
      liveHint: 'Änderungen erscheinen hier im Augenblick, in dem sie geschehen.',
      connecting: 'Verbindet',
      connectingHint: 'Die Live-Verbindung zum Server wird aufgebaut.',
      reconnecting: 'Verbindet neu',
      reconnectingHint:
        'Die Live-Verbindung ist abgerissen. Bis sie wieder steht, kann das Gezeigte veraltet sein.',
    },
    announced: {
      opened: 'Neue Störung: {{name}}',
      acknowledged: 'Übernommen: {{name}}',
      resolved: 'Behoben: {{name}}',
    },
  },
  notConnected: {
    title: 'Keine Verbindung',
    since: 'Keine Verbindung seit {{moment}}.',
    old: 'Was Sie sehen, ist alt. Sobald der Server wieder da ist, wird es von selbst erneuert.',
  },
  troubles: {
    title_one: 'Mit dieser Installation stimmt etwas nicht',
    title_other: 'Mit dieser Installation stimmen {{count}} Dinge nicht',
    open: 'Regionen öffnen',
    regionOffline_one:
      'Region {{name}} ist seit {{since}} nicht erreichbar; {{count}} Monitor wird von dort nicht geprüft. Sehen Sie nach, ob ihre Sonden laufen und diesen Server erreichen.',
    regionOffline_other:
      'Region {{name}} ist seit {{since}} nicht erreichbar; {{count}} Monitore werden von dort nicht geprüft. Sehen Sie nach, ob ihre Sonden laufen und diesen Server erreichen.',
    probeBusy:
      'Sonde {{probe}} der Region {{name}} ist seit {{since}} überlastet. Geben Sie ihrem Rechner mehr Prozessorzeit, oder starten Sie dort eine weitere Sonde.',
    probeNoResults:
      'Sonde {{probe}} der Region {{name}} fragt nach Monitoren und liefert seit {{since}} keine Ergebnisse. Sehen Sie in ihr Protokoll.',
    queue: {
      deliveries_one:
        '{{count}} Meldung an ein Ziel wartet seit {{since}} unversucht. Sehen Sie nach Protokoll und Last des Servers.',
      deliveries_other:
        '{{count}} Meldungen an Ziele warten unversucht, die erste seit {{since}}. Sehen Sie nach Protokoll und Last des Servers.',
      notices_one:
        '{{count}} Mail oder Push an eine Person wartet seit {{since}} unversucht. Sehen Sie nach Protokoll und Last des Servers.',
      notices_other:
        '{{count}} Mails und Pushs an Personen warten unversucht, die erste seit {{since}}. Sehen Sie nach Protokoll und Last des Servers.',
      jobs_one:
        '{{count}} gespeicherte Aufgabe wartet seit {{since}}. Sehen Sie nach Protokoll und Last des Servers.',
      jobs_other:
        '{{count}} gespeicherte Aufgaben warten, die erste seit {{since}}. Sehen Sie nach Protokoll und Last des Servers.',
    },
  },
  blindSpots: {
    title_one: 'Ein Monitor hat seit {{moment}} keine Daten',
    title_other: '{{count}} Monitore haben keine Daten, der erste seit {{moment}}',
    text_one:
      'Niemand weiß, wie es um ihn steht. Bis er wieder meldet, gilt er weder als ausgefallen noch als in Ordnung.',
    text_other:
      'Niemand weiß, wie es um sie steht. Bis sie wieder melden, gelten sie weder als ausgefallen noch als in Ordnung.',
    more_one: 'und {{count}} weiterer',
    more_other: 'und {{count}} weitere',
  },
  resultsPaused: {
    title: 'Seit {{moment}} werden keine Prüfergebnisse festgehalten',
    why: 'Die Festplatte der Datenbank ist voll, oder fast. Die Sonden prüfen weiter und behalten, was sie finden; sobald wieder Platz ist, wird es festgehalten. Bis dahin eröffnen und beenden Prüfungen keine Störung, und was Sie von Monitoren sehen, ist von vorher.',
    goesOn: 'Laufende Alarme, Meldungen, Übernehmen und Beenden und Lebenszeichen gehen weiter.',
    operator:
      'Sie betreiben diese Installation: Vergrößern Sie diese Festplatte, oder löschen Sie darauf, was nicht zu Tocsin gehört. Danach werden Ergebnisse von selbst wieder angenommen, ohne Neustart.',
    others:
      'Platz schaffen muss, wer diese Installation betreibt. Sagen Sie dort Bescheid, falls es noch niemand weiß.',
  },
  firstProof: {
    title: 'Ihr Konto wurde zurückgesetzt',
    why: 'Am {{when}} wurde zum ersten Mal nachgewiesen, dass {{email}} Ihnen gehört. Bis dahin hätte jeder dieses Konto anlegen können. Deshalb wurde jeder frühere Zugang entfernt, und was in seinem Namen handelte:',
    removed: {
      passwords_one: '{{count}} Passwort',
      passwords_other: '{{count}} Passwörter',
      passkeys_one: '{{count}} Passkey',
      passkeys_other: '{{count}} Passkeys',
      authenticators_one: '{{count}} Authenticator-App mit ihren Wiederherstellungscodes',
      authenticators_other: '{{count}} Authenticator-Apps mit ihren Wiederherstellungscodes',
      identities_one: '{{count}} verknüpfter Anmeldeanbieter',
      identities_other: '{{count}} verknüpfte Anmeldeanbieter',
      sessions_one: '{{count}} Sitzung',
      sessions_other: '{{count}} Sitzungen',
      push_subscriptions_one: '{{count}} Browser, der Push-Mitteilungen bekam',
      push_subscriptions_other: '{{count}} Browser, die Push-Mitteilungen bekamen',
      api_keys_one: '{{count}} API-Schlüssel',
      api_keys_other: '{{count}} API-Schlüssel',
      invitations_one: '{{count}} offene Einladung',
      invitations_other: '{{count}} offene Einladungen',
    },
    what: 'Richten Sie neu ein, was Sie selbst eingerichtet hatten: Ab jetzt ist es sicher. Verlassen Sie Organisationen, die Sie nicht kennen.',
    read: 'Gelesen',
  },
  ui: {
    retry: 'Noch einmal versuchen',
    failedTitle: 'Das konnte nicht geladen werden',
    crashTitle: 'Diese Seite konnte nicht geladen werden',
    crashText: 'Vielleicht wurde inzwischen eine neuere Version eingespielt. Neu laden hilft meist.',
    reload: 'Neu laden',
    loading: 'Lädt',
    cancel: 'Abbrechen',
    save: 'Speichern',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    close: 'Schließen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    more: 'Mehr zeigen',
    typeName: 'Zur Bestätigung „{{name}}“ eingeben',
    readOnly: 'Ändern können das Inhaber, Admins und Manager.',
  },
  noOrganization: {
    title: 'Sie haben keinen Zugang zu dieser Organisation',
    text: 'Es gibt sie nicht (mehr), oder Sie gehören nicht dazu.',
  },
  managersOnly: {
    title: 'Ihre Rolle reicht für diese Seite nicht aus',
    text: 'Monitore, Projekte und Meldungen verwalten Inhaber, Admins und Manager. Wenden Sie sich an sie.',
  },
  notFound: {
    title: 'Hier ist nichts',
    text: 'Vielleicht ist die Adresse vertippt, oder es gibt das Gesuchte nicht mehr.',
    home: 'Zurück zur Übersicht',
  },
  organizations: {
    name: 'Organisation',
    nameHint: 'Ihre Firma oder Ihr Team. Projekte und Personen gehören dazu.',
    nameNeeded: 'Geben Sie der Organisation einen Namen.',
    new: 'Neue Organisation',
    create: 'Organisation anlegen',
    first: 'Organisation anlegen',
    firstText: 'Sie gehören noch zu keiner. Lassen Sie sich einladen oder gründen Sie eine.',
  },
  projects: {
    title: 'Projekte',
    lead: 'Ein Projekt fasst Monitore zusammen: ein Produkt, einen Kunden, eine Umgebung.',
    new: 'Neues Projekt',
    name: 'Projektname',
    namePlaceholder: 'z. B. Webshop',
    create: 'Projekt anlegen',
    none: 'Noch keine Projekte',
    rename: '{{name}} umbenennen',
    delete: '{{name}} löschen',
    deleteTitle: 'Projekt löschen',
    deleteText: 'Nur ein Projekt ohne Monitore lässt sich löschen. Das kann nicht rückgängig gemacht werden.',
  },
};
