import type { Texts } from '../texts.ts';

export const firstSteps: Pick<Texts, 'firstSteps'> = {
  firstSteps: {
    title: 'Bis sicher jemand benachrichtigt wird',
    hide: 'Ausblenden',
    done: 'erledigt',
    open: 'offen',
    monitor: { title: 'Etwas überwachen', text: 'Für den Anfang genügt eine URL.' },
    channel: {
      title: 'Ein Kanal über diese Seite hinaus',
      text: 'Bisher läutet der Alarm nur, wo dieses Dashboard offen ist. Richten Sie einen Chat, einen Mailserver oder Push ein:',
    },
    person: {
      title: 'Ein Mensch, der geweckt wird',
      text: 'Per E-Mail, Push oder Pager. Ohne Bereitschaftsplan sind es Inhaber und Admins:',
    },
    message: { title: 'Eine Nachricht, die ankam', text: 'Probieren Sie es, bevor es darauf ankommt:' },
    exampleText: 'Ein erfundener Shop fällt für eine Minute aus, und nur Sie werden benachrichtigt.',
    ways: {
      monitor: 'Neuer Monitor',
      target: 'Kanal hinzufügen',
      push: 'Push an diesen Browser',
      onCall: 'Wer Bereitschaft hat',
      drill: 'Probealarm auslösen',
      test: 'Test senden',
    },
  },
};
