export const accounts = {
  accounts: {
    signIn: 'Anmelden',
    signUp: 'Konto anlegen',
    haveAccount: 'Schon ein Konto? Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    showPassword: 'Passwort zeigen oder verbergen',
    yourName: 'Ihr Name',
    nameNeeded: 'Geben Sie Ihren Namen an.',
    emailNeeded: 'Geben Sie eine E-Mail-Adresse ein.',
    passwordNeeded: 'Geben Sie Ihr Passwort ein.',
    passwordShort: 'Ein Passwort braucht mindestens 8 Zeichen.',
    wrongPassword: 'E-Mail oder Passwort ist falsch.',
    strength: {
      empty: 'Mindestens 8 Zeichen. Ein paar zufällige Wörter sind eine gute Wahl.',
      weak: 'Schwach: schnell erraten.',
      fair: 'Mittel: länger ist besser.',
      good: 'Gut.',
      strong: 'Stark.',
    },
    or: 'oder',
    passkey: 'Mit Passkey anmelden',
    continueWith: 'Weiter mit {{name}}',
    forgot: 'Passwort vergessen?',
    tooMany: 'Zu viele Versuche. Der nächste ist in {{time}} möglich.',
    tooManySaid: 'Zu viele Versuche. Warten Sie kurz; der Knopf wird dann wieder aktiv.',
    passkeyProblem: {
      cancelled: 'Keine Anmeldung: Die Anfrage wurde abgebrochen oder dauerte zu lange.',
      already_here: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
      wrong_address:
        'Unter dieser Adresse gehen Passkeys nicht. Öffnen Sie Tocsin unter seinem eigenen Namen.',
      failed:
        'Das Gerät konnte keinen Passkey verwenden. Nehmen Sie einen anderen, oder melden Sie sich mit dem Passwort an.',
    },
    provider: {
      access_denied: 'Die Anmeldung bei {{name}} wurde dort abgebrochen oder abgelehnt.',
      signup_disabled:
        'Sie haben hier noch kein Konto. Bitten Sie um eine Einladung, und melden Sie sich dann wieder mit {{name}} an.',
      account_not_linked:
        'Ein Konto mit Ihrer Adresse gibt es schon, es ist aber nicht mit {{name}} verbunden. Melden Sie sich mit dem Passwort an.',
      email_is_missing: '{{name}} hat Ihre E-Mail-Adresse nicht mitgeteilt; ein Konto braucht sie.',
      email_not_verified:
        '{{name}} hat Ihre E-Mail-Adresse nicht bestätigt. Lassen Sie sie dort bestätigen, und versuchen Sie es dann noch einmal.',
      provider_error:
        'Die Anmeldung mit {{name}} ist dort fehlgeschlagen. Versuchen Sie es noch einmal oder auf anderem Weg.',
      expired:
        'Die Anmeldung mit {{name}} dauerte zu lange oder endete in einem anderen Browser. Beginnen Sie hier von vorn.',
      other:
        'Die Anmeldung mit {{name}} ist fehlgeschlagen ({{code}}). Versuchen Sie es noch einmal oder auf anderem Weg.',
    },
    secondStep: 'Zweiter Schritt',
    codeLead: 'Geben Sie den Code ein, den Ihre Authenticator-App für Tocsin zeigt.',
    recoveryLead: 'Geben Sie einen der gesicherten Wiederherstellungscodes ein. Jeder gilt einmal.',
    code: 'Code',
    recoveryCode: 'Wiederherstellungscode',
    continue: 'Weiter',
    useRecovery: 'Wiederherstellungscode verwenden',
    useCode: 'Code der App verwenden',
    startOver: 'Von vorn',
    forgotTitle: 'Passwort vergessen?',
    forgotLead:
      'Geben Sie Ihre Adresse ein. Sie bekommen per E-Mail einen Link, mit dem Sie ein neues Passwort setzen.',
    sendLink: 'Link senden',
    backToSignIn: 'Zurück zur Anmeldung',
    noMail:
      'Diese Installation kann keine E-Mails senden und Ihnen darum keinen Link schicken. Wenden Sie sich an die Betreiber: Sie können einen Link für Sie erzeugen.',
    mailSentTitle: 'Prüfen Sie Ihr Postfach',
    mailSent: 'Wenn {{email}} hier ein Konto hat, ist ein Link unterwegs.',
    mailSentText:
      'Der Link gilt einmal, 30 Minuten lang. Nichts angekommen? Sehen Sie im Spam-Ordner nach, und fordern Sie dann einen neuen an.',
    askAgain: 'Neuen Link anfordern',
    newPassword: 'Neues Passwort',
    newPasswordLead: 'Es ersetzt das alte und meldet Sie überall ab.',
    setPassword: 'Neues Passwort setzen',
    newPasswordSet: 'Ihr neues Passwort ist gesetzt. Melden Sie sich damit an.',
    deleted: 'Ihr Konto ist gelöscht.',
    linkVoidTitle: 'Dieser Link ist nicht gültig',
    linkVoid: 'Er wurde schon verwendet oder ist zu alt. Fordern Sie einen neuen an.',
    linkMissing: 'Öffnen Sie den Link aus der E-Mail als Ganzes, oder fordern Sie einen neuen an.',
    signUpMailed: 'Eine E-Mail an {{email}} ist unterwegs.',
    signUpMailedText:
      'Folgen Sie dem Link darin innerhalb von 24 Stunden, um das Konto anzulegen. Nichts angekommen? Sehen Sie im Spam-Ordner nach. An eine Adresse gehen höchstens drei solche E-Mails am Tag.',
    signUpAgain: 'Noch einmal registrieren',
    confirmSignUp: 'Bestätigen und Konto anlegen',
    confirmSignUpLead: 'Geben Sie das Passwort ein, das Sie bei der Registrierung gewählt haben.',
    notThePassword: 'Das ist nicht das Passwort, das bei der Registrierung gewählt wurde.',
    signUpLinkVoid:
      'Er wurde schon verwendet oder ist zu alt. Melden Sie sich an, oder registrieren Sie sich noch einmal.',
    signUpLinkMissing:
      'Öffnen Sie den Link aus der E-Mail als Ganzes, oder registrieren Sie sich noch einmal.',
    setup: 'Tocsin einrichten',
    setupLead:
      'Sie sind die erste Person hier, und dieses Konto betreibt die Installation. Als Nächstes fügen Sie eine URL ein, die überwacht werden soll.',
    setupButton: 'Einrichten',
    setupDone: 'Schon eingerichtet',
    setupDoneText:
      'Diese Installation hat schon ihr erstes Konto. Der Einrichtungslink ist nicht mehr gültig.',
    setupFirst: 'Noch nicht eingerichtet',
    setupFirstText:
      'Öffnen Sie den einmaligen Einrichtungslink, den der Server beim Start ausgegeben hat. Er sieht so aus: …/app/setup?token=…',
    setupTokenWrong:
      'Dieser Einrichtungslink ist nicht gültig. Nehmen Sie den neuesten, den der Server ausgegeben hat.',
  },
  invitation: {
    title: 'Einladung',
    titleOf: '{{organization}} beitreten',
    by: 'Eingeladen von',
    for: 'Für',
    as: 'Als',
    until: 'Gilt bis',
    join: 'Annehmen und beitreten',
    createAndJoin: 'Konto anlegen und beitreten',
    signedInAs: 'Sie sind als {{name}} angemeldet: ein Klick, und Sie sind dabei.',
    haveAccount: 'Mit dieser Adresse haben Sie ein Konto. Melden Sie sich an, dann sind Sie wieder hier.',
    signIn: 'Anmelden und beitreten',
    somebodyElse: 'Sie sind als {{signedIn}} angemeldet, die Einladung gilt aber für {{email}}.',
    signOut: 'Abmelden und fortfahren',
    stay: 'Angemeldet bleiben',
    missingTitle: 'Hier ist keine Einladung',
    missing: 'Öffnen Sie den Link aus der Einladung als Ganzes: Alles hinter dem # gehört dazu.',
    voidTitle: 'Diese Einladung gilt nicht mehr',
    void: 'Sie wurde angenommen oder zurückgezogen, oder ihre sieben Tage sind um. Bitten Sie um eine neue.',
    toDashboard: 'Zum Dashboard',
  },
};
