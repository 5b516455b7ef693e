export const account = {
  security: {
    title: 'Konto und Sicherheit',
    lead: 'Diese Einstellungen gehören Ihnen und gelten in jeder Organisation.',
    back: 'Zurück zu',
    backHome: 'Zurück zum Dashboard',
    sections: 'Auf dieser Seite',
    stepsLabel: 'Schritte',
    yourPassword: 'Ihr Passwort',
    again: {
      title: 'Bestätigen Sie, dass Sie es sind',
      text: 'Ihre Anmeldung darf dafür höchstens 15 Minuten alt sein. So kann es niemand in einer Sitzung tun, die Sie offen gelassen haben.',
      byProvider:
        'Ihre Anmeldung darf dafür höchstens 15 Minuten alt sein. Melden Sie sich noch einmal über Ihren Anbieter an; danach kommen Sie auf diese Seite zurück und können es wiederholen.',
      code: 'Code Ihrer Authenticator-App',
      codeHint: 'Oder ein Wiederherstellungscode; er gilt nur einmal.',
      passkey: 'Passkey verwenden',
      confirm: 'Bestätigen',
    },
    profile: {
      title: 'Profil',
      lead: 'Ihr Name, wie andere ihn sehen, und wie Tocsin für Sie aussieht.',
      name: 'Name',
      emailFixed: 'Die Adresse, mit der Sie sich anmelden. Sie lässt sich nicht ändern.',
      save: 'Namen speichern',
      saved: 'Ihr Name ist gespeichert.',
      mailLanguage: 'E-Mails und Push-Mitteilungen',
      asOrganization: 'Wie die Organisation',
      mailLanguageHint:
        'E-Mails und Push-Mitteilungen kommen in dieser Sprache, wo immer Sie sie lesen. Die Wahl gehört zu Ihrem Konto, nicht zu diesem Browser.',
      mailLanguageSaved: 'E-Mails und Push-Mitteilungen kommen ab jetzt in dieser Sprache.',
      inThisBrowser: 'Sprache, Darstellung und Tastenkürzel merkt sich dieser Browser.',
    },
    password: {
      title: 'Passwort',
      lead: 'Ein neues Passwort beendet sofort alle Ihre anderen Sitzungen.',
      current: 'Bisheriges Passwort',
      change: 'Passwort ändern',
      changed: 'Ihr Passwort ist geändert, alle anderen Sitzungen sind beendet.',
      none: 'Sie melden sich über Ihren Anbieter an; dieses Konto hat kein eigenes Passwort.',
    },
    'two-factor': {
      title: 'Zwei-Faktor',
      lead: 'Nach dem Passwort fragt die Anmeldung noch nach einem Code aus einer App auf Ihrem Telefon. Ein gestohlenes Passwort allein öffnet dann nichts.',
      on: 'Ein',
      off: 'Aus',
      onText:
        'Die Anmeldung mit Passwort fragt nach einem Code. Ohne Ihr Telefon melden Sie sich mit einem Wiederherstellungscode an.',
      offText:
        'Jede Authenticator-App eignet sich: die Ihres Passwortmanagers, Aegis, Google oder Microsoft Authenticator.',
      noPassword:
        'Sie melden sich über {{name}} an. Ein zweiter Schritt wird verlangt, wenn Sie ihn dort eingerichtet haben.',
      turnOn: 'Zwei-Faktor einschalten',
      turnOnNow: 'Einschalten',
      turnOff: 'Zwei-Faktor ausschalten',
      turnOffText:
        'Dann öffnet wieder das Passwort allein Ihr Konto, und die Wiederherstellungscodes gelten nicht mehr. Der Eintrag in der App kann weg.',
      newCodes: 'Neue Wiederherstellungscodes',
      steps: { password: 'Ihr Passwort', scan: 'Authenticator-App', codes: 'Codes sichern' },
      passwordText:
        'Zuerst Ihr Passwort, damit niemand sonst dies an einem Bildschirm einrichtet, den Sie offen ließen.',
      qr: 'QR-Code für Ihre Authenticator-App',
      scanText:
        'Scannen Sie das Bild mit Ihrer Authenticator-App, und geben Sie dann die sechs Ziffern ein, die sie zeigt.',
      openApp: 'Auf diesem Telefon: Authenticator-App öffnen',
      firstCode: 'Code aus der App',
      secret: 'Geheimnis für Ihre Authenticator-App',
      secretText:
        'Scannen geht nicht? Geben Sie der App stattdessen dieses Geheimnis ein (zeitbasiert, 6 Ziffern).',
    },
    recovery: {
      title: 'Wiederherstellungscodes',
      text: 'Jeder dieser Codes öffnet Ihr Konto einmal, wenn das Telefon nicht zur Hand ist. Sie werden nur jetzt gezeigt. Bewahren Sie sie an einem sicheren Ort auf, nicht auf dem Telefon selbst.',
      download: 'Als .txt speichern',
      kept: 'Ich habe sie gesichert',
      done: 'Fertig',
      fileHead: 'Tocsin-Wiederherstellungscodes von {{email}} bei {{host}}. Jeder gilt einmal.',
      renewText: 'Neue Codes ersetzen die alten. Die alten gelten sofort nicht mehr.',
      renew: 'Neue Codes erzeugen',
    },
    passkeys: {
      title: 'Passkeys',
      lead: 'Anmelden mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel: nichts zu merken, und nichts, was sich abphischen lässt.',
      none: 'Noch kein Passkey.',
      unnamed: 'Passkey',
      name: 'Name',
      nameHint: 'Um ihn später von anderen zu unterscheiden.',
      add: 'Passkey hinzufügen',
      addText:
        'Ihr Browser bittet Sie gleich, mit diesem Gerät oder einem Sicherheitsschlüssel zu bestätigen.',
      create: 'Passkey anlegen',
      added: 'hinzugefügt {{when}}',
      synced: 'synchronisiert',
      oneDevice: 'auf einem Gerät',
      rename: '{{name}} umbenennen',
      remove: '{{name}} entfernen',
      removeTitle: 'Passkey entfernen',
      removeText:
        '„{{name}}“ meldet Sie dann nicht mehr an. Löschen Sie ihn auch auf dem Gerät oder im Passwortmanager, sonst wird er weiter angeboten.',
      removeButton: 'Entfernen',
      obstacle: {
        insecure:
          'Browser bieten Passkeys nur über https. Öffnen Sie Tocsin unter seiner https-Adresse, um einen hinzuzufügen.',
        loopback: 'Passkeys gehören zu einem Hostnamen. Um einen hinzuzufügen, öffnen Sie Tocsin unter',
        address:
          'Passkeys gehören zu einem Hostnamen. Öffnen Sie Tocsin unter seinem Namen statt einer IP-Adresse, um einen hinzuzufügen.',
        browser: 'Dieser Browser kennt keine Passkeys. Nehmen Sie einen neueren, um einen hinzuzufügen.',
      },
      problem: {
        cancelled: 'Nichts wurde hinzugefügt: Die Anfrage wurde abgebrochen oder dauerte zu lange.',
        already_here: 'Dieses Gerät oder dieser Schlüssel hat schon einen Passkey für Ihr Konto.',
        wrong_address:
          'Unter dieser Adresse gehen Passkeys nicht. Öffnen Sie Tocsin unter seinem eigenen Namen.',
        failed: 'Das Gerät konnte keinen Passkey anlegen. Nehmen Sie ein anderes.',
      },
    },
    sessions: {
      title: 'Sitzungen',
      lead: 'Wo Sie angemeldet sind. Beenden Sie, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
      device: '{{browser}} auf {{system}}',
      unknown: 'Unbekanntes Gerät',
      thisOne: 'diese',
      started: 'angemeldet',
      active: 'zuletzt aktiv',
      end: 'Beenden',
      endOf: 'Sitzung von {{device}} beenden',
      endOthers: 'Alle anderen Sitzungen beenden',
    },
    push: {
      title: 'Alarme',
      lead: 'Wie Tocsin Sie erreicht, wenn Sie alarmiert werden. Diese Schalter gelten für diesen Browser.',
      on: 'Push an',
      off: 'Push hier aus',
    },
    delete: {
      title: 'Konto löschen',
      lead: 'Sie verlassen alle Ihre Organisationen. Deren Protokolle behalten, was Sie dort getan haben.',
      text: 'Ihr Name, Ihre Adresse, Passwort, Passkeys und Sitzungen werden endgültig gelöscht.',
      button: 'Mein Konto löschen',
      confirmText:
        'Sie verlassen sofort alle Ihre Organisationen, und das Konto ist endgültig weg. Das lässt sich nicht rückgängig machen.',
      lastOwner:
        'Sie sind hier der einzige Inhaber. Machen Sie zuerst jemand anderen dazu, oder löschen Sie die Organisation.',
      lastOperator: 'Sie sind der einzige Betreiber dieser Installation; sie braucht einen.',
      members: 'Mitglieder',
      settings: 'Einstellungen',
    },
  },
};
