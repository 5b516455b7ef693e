export const organizations = {
  settings: {
    title: 'Einstellungen',
    tabs: {
      general: 'Allgemein',
      members: 'Mitglieder',
      apiKeys: 'API-Schlüssel',
      alarmPolicy: 'Alarmregeln',
      plan: 'Tarif',
      activity: 'Aktivität',
      transfer: 'Export und Import',
    },
    locked: 'für Inhaber und Admins',
    adminsOnly: {
      apiKeys:
        'API-Schlüssel handeln für die ganze Organisation, darum sehen sie nur Inhaber und Admins. Wenden Sie sich an sie.',
      alarmPolicy:
        'Der Alarmstandard gilt für jeden Monitor, darum setzen ihn nur Inhaber und Admins. Wenden Sie sich an sie.',
      activity:
        'Wer was in der Organisation geändert hat, lesen nur Inhaber und Admins. Wenden Sie sich an sie.',
      transfer:
        'Ein Export enthält alles, auch Geheimnisse; darum machen ihn nur Inhaber und Admins. Wenden Sie sich an sie.',
    },
    ownersAndAdmins: 'Ändern können das Inhaber und Admins.',
    name: 'Name',
    nameHint: 'Steht in der Oberfläche und in E-Mails. Adressen und Kennungen ändern sich dadurch nicht.',
    renamed: 'Die Organisation hat einen neuen Namen.',
    language: 'Sprache',
    languageHint:
      'Für Nachrichten an Chats und für E-Mails und Push-Mitteilungen an Mitglieder, die selbst keine Sprache gewählt haben.',
    languageSaved: 'Die Organisation hat eine neue Sprache.',
    slug: 'Kurzname',
    slugHint: 'Aus dem ersten Namen gebildet; er lässt sich nicht ändern.',
    id: 'Kennung der Organisation',
    idHint: 'Steht in API-Pfaden als org_id.',
    yourRole: 'Ihre Rolle',
    danger: 'Gefahrenbereich',
    leave: {
      title: 'Organisation verlassen',
      button: 'Verlassen',
      text: 'Sie verlieren sofort den Zugang zu {{name}}. Zurück kommen Sie nur, wenn jemand Sie wieder einlädt.',
      lead: 'Sie verlieren sofort den Zugang, bis jemand Sie wieder einlädt.',
      lastOwner:
        'Sie sind der einzige Inhaber. Machen Sie zuerst jemand anderen dazu, oder löschen Sie die Organisation.',
      done: 'Sie haben {{name}} verlassen.',
    },
    delete: {
      title: 'Organisation löschen',
      button: 'Organisation löschen',
      lead: 'Projekte, Monitore, Verlauf, Schlüssel und alle Zugänge sind dann für immer weg.',
      text: 'Alles, was {{name}} gehört, wird endgültig gelöscht: Projekte, Monitore mit ihrem Verlauf, Störungen, Meldungen, API-Schlüssel. Mitglieder verlieren sofort den Zugang. Das lässt sich nicht rückgängig machen.',
      ownersOnly: 'Nur ein Inhaber kann die Organisation löschen.',
      done: '{{name}} ist gelöscht.',
    },
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Admin',
    manager: 'Manager',
    member: 'Mitglied',
    viewer: 'Betrachter',
  },
  roleWords: {
    owner: 'Alles, auch die Organisation löschen und weitere Inhaber ernennen.',
    admin: 'Mitglieder, API-Schlüssel und Aktivität, dazu alles, was ein Manager tut.',
    manager: 'Projekte, Monitore und Meldungen.',
    member: 'Sieht alles; übernimmt und schließt Störungen.',
    viewer: 'Sieht, was Mitglieder sehen, und ändert nichts: übernimmt keine Störung und keine Schicht.',
  },
};
