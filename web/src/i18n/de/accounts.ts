export const accounts = {
  accounts: {
    signIn: 'Anmelden',
    signUp: 'Konto anlegen',
    haveAccount: 'Ich habe ein Konto: anmelden',
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
    setup: 'Tocsin einrichten',
    setupLead: 'Sie sind die erste Person hier: Dieses Konto betreibt die Installation.',
    setupButton: 'Einrichten',
    setupDone: 'Schon eingerichtet',
    setupDoneText: 'Diese Installation hat ihr erstes Konto. Der Einrichtungslink hat seinen Dienst getan.',
    setupFirst: 'Noch nicht eingerichtet',
    setupFirstText:
      'Öffnen Sie den einmaligen Einrichtungslink, den der Server beim Start ausgegeben hat. Er sieht so aus: …/app/setup?token=…',
    setupTokenWrong:
      'Dieser Einrichtungslink gilt nicht (mehr). Nehmen Sie den neuesten, den der Server ausgegeben hat.',
  },
};
