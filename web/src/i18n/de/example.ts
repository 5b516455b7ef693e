import type { Texts } from '../texts.ts';

export const example: Pick<Texts, 'example'> = {
  example: {
    badge: 'Beispiel',
    offer: 'So sieht ein Ausfall aus',
    offerText:
      'Ein erfundener Shop auf diesem Server fällt für eine Minute aus. Sie sehen, wie der Ausfall bestätigt wird, hören die Glocke, übernehmen ihn und finden die Nachbetrachtung halb geschrieben. Nur Sie werden benachrichtigt.',
    start: 'Etwas ausfallen lassen',
    obstacle: {
      running: 'Ein Beispiel läuft schon.',
      often: 'An einem Tag sind höchstens zehn Beispiele möglich. Versuchen Sie es morgen wieder.',
      elsewhere:
        'Von diesem Server aus nicht: Neben ihm läuft keine mitgelieferte Sonde, die ein Beispiel prüfen könnte.',
      region: 'Jetzt nicht: Die Region „local“ ist intern, von ihr aus lässt sich kein Beispiel prüfen.',
      probe: 'Jetzt nicht: In der Region „local“ ist keine Sonde online, die ein Beispiel prüfen könnte.',
      private:
        'Hier nicht: Die Region „local“ darf keine privaten Adressen erreichen, und dieser Server hat eine. Wer die Installation betreibt, kann es erlauben.',
    },
    guide: 'Begleitung durch den Beispielausfall',
    close: 'Begleitung schließen',
    show: 'Begleitung zeigen',
    watch: 'Zum Monitor',
    evidence: 'Belege ansehen',
    postmortem: 'Nachbetrachtung öffnen',
    next: 'Echte Benachrichtigungen einrichten',
    remove: 'Beispiel entfernen',
    notice: 'Das ist ein Beispiel. Es zählt in keiner Auswertung, und niemand wird benachrichtigt.',
    noticeBy:
      'Das ist ein Beispiel, gestartet von {{who}}. Es zählt in keiner Auswertung, und niemand sonst wird benachrichtigt.',
    goes: 'Es entfernt sich von selbst: {{when}}.',
    steps: {
      failing: 'Kaputt',
      confirming: 'Prüfung',
      open: 'Alarm',
      acknowledged: 'Im Griff',
      recovering: 'Heilung',
      resolved: 'Vorbei',
    },
    stage: {
      first_check: {
        title: 'Der Shop öffnet',
        text: 'Ein erfundener Shop auf diesem Server. Die erste Prüfung ist unterwegs.',
      },
      failing: {
        title: 'Er lief. Jetzt ist er kaputt.',
        text: 'Noch weiß es niemand: Die nächste Prüfung merkt es, binnen {{interval}}.',
      },
      confirming: {
        title: '{{failures}} von {{required}}: eine Prüfung ist fehlgeschlagen',
        text: 'Ein einzelner Fehler kann ein Aussetzer sein und weckt niemanden. Binnen {{interval}} wird noch einmal geprüft.',
      },
      open: {
        title: 'Bestätigt. Das ist die Glocke.',
        text: 'Eine Störung ist offen, mit allem, was die Prüfungen gesehen haben. Nur Sie hören sie. Sehen Sie sich die Belege an, dann drücken Sie „Übernehmen“.',
      },
      acknowledged: {
        title: 'Sie haben sie übernommen, es ist still',
        text: 'Ihr Team sähe jetzt, dass Sie sich kümmern, und niemand sonst würde geweckt. Gleich erholt sich der Shop.',
      },
      recovering: {
        title: 'Der Shop läuft wieder',
        text: 'Zwei gute Prüfungen nacheinander beenden die Störung. Sie müssen nichts tun.',
      },
      resolved: {
        title: 'Vorbei. Die Nachbetrachtung ist halb geschrieben.',
        text: 'Titel, Zeiten und Verlauf stehen schon da; das Warum ist Ihre Sache. Legen Sie als Nächstes fest, wer bei echten Ausfällen benachrichtigt wird.',
      },
      over: {
        title: 'Das Beispiel ist vorbei',
        text: 'In seiner Zeit wurde keine Störung daraus: Die Prüfungen kamen wohl zu spät. Entfernen Sie es und versuchen Sie es noch einmal.',
      },
    },
  },
};
