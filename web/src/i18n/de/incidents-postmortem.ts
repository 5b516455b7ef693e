/** Nachbetrachtungen: schreiben, veröffentlichen, lesen. */
export const postmortem = {
  postmortem: {
    title: 'Nachbetrachtung',
    of: 'Nachbetrachtung: {{name}}',
    lead: 'Was geschah, warum, und was beim nächsten Mal anders sein wird. Es geht um Ursachen, nicht um Schuldige. Die Texte sind Markdown.',
    write: 'Nachbetrachtung schreiben',
    open: 'Nachbetrachtung öffnen',
    panelNone: 'Noch nicht veröffentlicht. Einen Entwurf sehen nur Mitglieder.',
    panelEarly: 'Sie lässt sich schreiben, solange alles frisch ist, auch bevor die Störung beendet ist.',
    status: { draft: 'Entwurf', published: 'Veröffentlicht' },
    publishedAt: 'Veröffentlicht: {{time}}',
    visibilityLabel: 'Wer sie nach dem Veröffentlichen lesen darf',
    visibility: { internal: 'Nur Mitglieder', public: 'Öffentlich' },
    visibilityHint: {
      internal: 'Mitglieder dieser Organisation.',
      public: 'Alle, die die Statusseiten lesen dürfen, mit denen diese Störung verbunden ist.',
    },
    publish: 'Veröffentlichen',
    publishTitle: 'Nachbetrachtung veröffentlichen?',
    publishInternal:
      'Alle Mitglieder dieser Organisation können sie lesen; Webhooks und Chats, die das abonniert haben, werden benachrichtigt. Sie können sie danach noch ändern.',
    publishPublic:
      'Alle, die die verbundenen Statusseiten lesen dürfen, können sie lesen; Webhooks und Chats, die das abonniert haben, werden benachrichtigt. Sie können sie danach noch ändern.',
    published: 'Die Nachbetrachtung ist veröffentlicht.',
    incident: 'Störung:',
    nothingYet: 'Noch ist nichts geschrieben.',
    edit: 'Bearbeiten',
    read: 'Vorschau',
    live: 'Sie ist veröffentlicht: Jede Änderung ist sofort zu sehen.',
    draft: {
      filledIn:
        'Titel, Zeiten und Verlauf stammen aus der Störung. Sie werden mit Ihrer ersten Änderung gespeichert.',
      what: 'Was geschah',
      firstFailure: 'Erste fehlgeschlagene Prüfung',
      started: 'Beginn',
      confirmed: 'Bestätigt',
      acknowledged: 'Übernommen',
      resolved: 'Behoben',
      lasted: 'Dauer',
      timeline: 'Verlauf (UTC)',
      more_one: '{{count, number}} weiterer Eintrag im Verlauf der Störung',
      more_other: '{{count, number}} weitere Einträge im Verlauf der Störung',
      impact:
        '{{name}} war {{duration}} lang nicht erreichbar, von {{from}} bis {{to}}, gesehen von {{regions}}.',
      impactOpen: '{{name}} ist seit {{from}} nicht erreichbar, gesehen von {{regions}}.',
    },
    save: {
      clean: 'Änderungen werden automatisch gespeichert.',
      dirty: 'Nicht gespeicherte Änderungen',
      saving: 'Speichert …',
      saved: 'Gespeichert um {{time}}',
      failed: 'Nicht gespeichert: {{why}}',
    },
    saveNow: 'Jetzt speichern',
    leaveTitle: 'Mit nicht gespeichertem Text verlassen?',
    leaveText: 'Ihre letzten Änderungen ließen sich nicht speichern. Wenn Sie gehen, sind sie verloren.',
    leave: 'Verlassen, ohne zu speichern',
    stay: 'Bleiben',
    fields: {
      title: 'Titel',
      summary: 'Zusammenfassung',
      impact: 'Auswirkungen',
      root_cause: 'Ursache',
      contributing_factors: 'Begünstigende Umstände',
      what_went_well: 'Was gut lief',
      what_went_wrong: 'Was schlecht lief',
      lessons: 'Lehren',
    },
    hints: {
      title: 'z. B. 40 Minuten lang abgelehnte Zahlungen nach abgelaufenem Zertifikat',
      summary: 'Drei Sätze für jemanden, der nicht dabei war: was ausfiel, wie lange, was es beendete.',
      impact: 'Wer bemerkte was, wie viele, von wann bis wann. Verlorene Aufträge, betroffene Daten.',
      root_cause:
        'Was hätte anders sein müssen, damit es nicht geschieht? Fragen Sie „warum“, bis die Antwort etwas ist, das Sie ändern können.',
      contributing_factors:
        'Was es wahrscheinlicher, schlimmer oder länger machte: ein fehlender Test, ein stiller Alarm, ein Feiertag.',
      what_went_well: 'Was half: ein schneller Alarm, ein gutes Runbook, ein Rollback, der funktionierte.',
      what_went_wrong: 'Was Zeit kostete oder es schlimmer machte: beim Bemerken, Mitteilen und Beheben.',
      lessons:
        'Was Sie jetzt wissen und vorher nicht wussten. Dann, was sich ändert: was, wer, bis wann, je eine Zeile.',
    },
  },
};
