// The texts of the page, in English and German.
import type { PageLanguage } from '../domain/names.ts';

const en = {
  title: 'Acknowledge the alarm',
  one: 'This incident of {organization} is acknowledged in your name:',
  many: 'These {count} incidents of {organization} are acknowledged in your name:',
  more: 'and {count} more',
  since: 'since {time}',
  as: 'You act as {person}. That stops the alarm for everybody.',
  button: 'Acknowledge',
  doneTitle: 'You have acknowledged the alarm',
  doneOne: 'The incident is acknowledged. The alarm has stopped for everybody.',
  doneMany: '{count} incidents are acknowledged. The alarm has stopped for everybody.',
  drillTitle: 'FIRE DRILL: acknowledge it',
  drill: 'This is a fire drill of {organization}: nothing is down. It is acknowledged in your name.',
  drillDoneTitle: 'You have acknowledged the fire drill',
  drillDone: 'The fire drill is over. Nothing was down.',
  open: 'Open the dashboard',
  unknownTitle: 'This link does not exist',
  unknown: 'Check that the whole address was copied.',
  usedTitle: 'This link was already used',
  used: 'It works only once. The incident in the dashboard says who acknowledged it.',
  expiredTitle: 'This link has expired',
  expired: 'It was valid for 24 hours. Sign in to acknowledge the incident.',
  endedTitle: 'The alarm is over',
  ended: 'Everything it was about has been acknowledged or resolved. There is nothing left to do.',
  not_a_memberTitle: 'You are no longer a member',
  not_a_member: 'The link belongs to somebody who has left the organization. Nothing was changed.',
  viewerTitle: 'Viewers acknowledge no alarms',
  viewer: 'You have become a viewer of the organization since the mail was sent. Nothing was changed.',
  busyTitle: 'Too many requests',
  busy: 'Wait a moment, then open the link again.',
  brokenTitle: 'That did not work',
  broken: 'Nothing was changed. Try again in a moment, or sign in to acknowledge the incident.',
};

export type Words = typeof en;

const de: Words = {
  title: 'Den Alarm übernehmen',
  one: 'Diese Störung von {organization} übernehmen Sie:',
  many: 'Diese {count} Störungen von {organization} übernehmen Sie:',
  more: 'und {count} weitere',
  since: 'seit {time}',
  as: 'Sie handeln als {person}. Der Alarm endet damit für alle.',
  button: 'Übernehmen',
  doneTitle: 'Sie haben den Alarm übernommen',
  doneOne: 'Die Störung ist übernommen. Der Alarm ist für alle beendet.',
  doneMany: '{count} Störungen sind übernommen. Der Alarm ist für alle beendet.',
  drillTitle: 'PROBEALARM: übernehmen',
  drill:
    'Das ist ein Probealarm von {organization}: Nichts ist ausgefallen. Sie übernehmen ihn, wie Sie einen echten übernehmen würden.',
  drillDoneTitle: 'Sie haben den Probealarm übernommen',
  drillDone: 'Der Probealarm ist beendet. Nichts war ausgefallen.',
  open: 'Zum Dashboard',
  unknownTitle: 'Diesen Link gibt es nicht',
  unknown: 'Diese Adresse ist keine von uns. Prüfen Sie, ob sie ganz kopiert wurde.',
  usedTitle: 'Dieser Link wurde schon benutzt',
  used: 'Er gilt nur einmal. Wer die Störung übernommen hat, steht im Dashboard.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expired: 'Er galt 24 Stunden. Melden Sie sich an, um die Störung zu übernehmen.',
  endedTitle: 'Der Alarm ist vorbei',
  ended: 'Alles, worum es ging, ist übernommen oder beendet. Es ist nichts mehr zu tun.',
  not_a_memberTitle: 'Sie sind kein Mitglied mehr',
  not_a_member: 'Der Link gehört jemandem, der die Organisation verlassen hat. Es wurde nichts geändert.',
  viewerTitle: 'Betrachter übernehmen keinen Alarm',
  viewer: 'Sie sind seit der Mail Betrachter der Organisation geworden. Es wurde nichts geändert.',
  busyTitle: 'Zu viele Versuche',
  busy: 'Warten Sie einen Moment und öffnen Sie den Link noch einmal.',
  brokenTitle: 'Das hat nicht geklappt',
  broken:
    'Es wurde nichts geändert. Versuchen Sie es gleich noch einmal, oder melden Sie sich an, um die Störung zu übernehmen.',
};

export type Language = PageLanguage;

export const WORDS: Readonly<Record<Language, Words>> = { en, de };
