import type { Texts } from '../texts.ts';

export const firstSteps: Pick<Texts, 'firstSteps'> = {
  firstSteps: {
    title: 'Alarmierung einrichten',
    hide: 'Ausblenden',
    done: 'erledigt',
    open: 'offen',
    monitor: { title: 'Monitor anlegen', text: 'Für den Anfang genügt eine URL.' },
    channel: {
      title: 'Kanal für Benachrichtigungen hinzufügen',
      text: 'Bisher läutet der Alarm nur, wo dieses Dashboard offen ist. Richten Sie einen Chat, einen Mailserver oder Push ein:',
    },
    person: {
      title: 'Festlegen, wer geweckt wird',
      text: 'Wer geweckt werden soll, braucht E-Mail, Push oder Pager. Ohne Dienstplan sind das alle Inhaber und Admins:',
    },
    message: { title: 'Zustellung testen', text: 'Probieren Sie es, bevor es darauf ankommt:' },
    exampleText: 'Ein erfundener Shop fällt für eine Minute aus, und nur Sie werden benachrichtigt.',
    ways: {
      monitor: 'Neuer Monitor',
      target: 'Kanal hinzufügen',
      push: 'Push an diesen Browser',
      onCall: 'Dienstplan festlegen',
      drill: 'Probealarm auslösen',
      test: 'Test senden',
    },
  },
};
