import type { Texts } from '../texts.ts';

export const drills: Pick<Texts, 'drills'> = {
  drills: {
    notFound: 'Diesen Probealarm gibt es nicht',
    title: 'Probealarme',
    lead: 'Ein Probealarm läuft ab wie ein echter Alarm und hält fest, was ankam. Er ist keine Störung.',
    panel: 'Ein Probealarm zeigt, ob ein Alarm die Leute erreicht, für die er gedacht ist.',
    last: 'Der letzte war am {{when}}: {{outcome}}.',
    never: 'Bisher gab es keinen.',
    open: 'Probealarme',
    earlier: 'Bisherige Probealarme',
    none: 'Noch kein Probealarm',
    noneText: 'Der erste echte Alarm sollte nicht der erste Versuch sein.',
    gone: 'jemand, den es hier nicht mehr gibt',
    whole: 'Die ganze Kette',
    forPerson: 'Nur {{name}}',
    arrivedOf_one: '{{arrived}} von {{count, number}} angekommen',
    arrivedOf_other: '{{arrived}} von {{count, number}} angekommen',
    failed: '{{count, number}} fehlgeschlagen',
    of: 'Probealarm vom {{when}}',
    startedBy: '{{whose}} · ausgelöst von {{name}}',
    reached: 'Wer erreicht wurde',
    nobodyYet: 'Bisher wurde niemand erreicht.',
    nobody: 'Niemand wurde erreicht.',
    coming: 'Nächste Schritte, wenn ihn niemand übernimmt',
    now: 'jetzt',
    in: 'in {{time}}',
    after: 'nach {{time}}',
    stop: 'Probealarm beenden',
    acknowledge: 'Probealarm übernehmen',
    start: {
      title: 'Probealarm auslösen',
      who: 'Wer benachrichtigt wird',
      all: 'Die Kette läuft in ihrem üblichen Takt, bis jemand übernimmt: die Person im Dienst, die Stufen, die Chat- und Alarmierungsziele. Jede Nachricht sagt, dass es ein Probealarm ist. Ein echter Alarm bricht ihn ab.',
      person:
        'Ton, Push und E-Mail dieser Person werden geprüft, in der Reihenfolge und im Takt der Kette. Sonst wird niemand erreicht, auch kein Ziel.',
      button: 'Probealarm auslösen',
      running: 'Ein Probealarm läuft.',
      look: 'Verlauf ansehen',
    },
    step: {
      start: 'Zu Beginn',
      mail: 'E-Mail an die Person im Dienst',
      stage1: 'Stufe 1',
      stage2: 'Stufe 2',
      drill_end: 'Der Probealarm endet',
    },
    state: {
      waiting: 'Steht aus',
      arrived: 'Angekommen',
      failed: 'Fehlgeschlagen',
      cancelled: 'Nicht gesendet: Der Probealarm war vorbei',
    },
    outcome: {
      running: 'Läuft',
      acknowledged: 'Übernommen von {{name}}',
      stopped: 'Beendet von {{name}}',
      unanswered: 'Niemand hat übernommen',
      real_alarm: 'Von einem echten Alarm abgebrochen',
    },
    result: {
      running: 'Dieser Probealarm läuft. Nichts ist ausgefallen.',
      acknowledged: '{{name}} hat übernommen, wie bei einem echten Alarm.',
      stopped: '{{name}} hat ihn beendet, bevor jemand übernahm.',
      unanswered: 'Niemand hat übernommen. Ein echter Alarm wäre unbeantwortet geblieben.',
      real_alarm: 'Ein echter Alarm begann, deshalb wurde der Probealarm abgebrochen.',
    },
    remedy: {
      mail_not_configured:
        'Es gibt keinen Mailserver. Der Betreiber dieser Installation muss SMTP_URL und MAIL_FROM setzen: siehe docs/self-hosting.md#mail.',
      no_push_subscription:
        'Push ist in keinem Browser dieser Person eingeschaltet: auf der Bereitschaftsseite unter „In diesem Browser“.',
      no_dashboard_rang:
        'Kein Dashboard dieser Person hat geläutet: Es war keines offen, oder der Ton ist aus oder vom Browser gesperrt.',
      switched_off: 'Das Ziel ist ausgeschaltet: unter „Meldungen“ einschalten.',
      bad_recipient: 'Der Mailserver kennt diese Adresse nicht: Die Person berichtigt sie in ihrem Konto.',
      smtp_auth:
        'Der Mailserver hat Benutzer oder Passwort aus SMTP_URL abgelehnt: Der Betreiber berichtigt sie.',
    },
    remedyOther: {
      mail: 'Die E-Mail kam nicht durch ({{error}}): tocsin doctor sagt, was mit dem Mailserver nicht stimmt.',
      push: 'Der Push-Dienst hat sie nicht angenommen ({{error}}): Push in diesem Browser aus- und wieder einschalten.',
      target: 'Das Ziel hat sie nicht angenommen ({{error}}): siehe seine Zustellungen unter „Meldungen“.',
    },
    bar: {
      title: 'PROBEALARM: Nichts ist ausgefallen',
      text: 'Übernehmen Sie ihn wie einen echten Alarm.',
    },
  },
};
