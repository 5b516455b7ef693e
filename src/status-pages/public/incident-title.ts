// The public title of an incident: its severity and the public labels of the affected monitors. Never its cause.
import { isolated as kept } from '#src/domain/direction.ts';
import { oneLine } from '#src/domain/one-line.ts';
import { html, type Markup } from '#src/platform/html.ts';
import type { PublicIncident } from './snapshot.ts';
import { filled, type Words } from './words.ts';

/** Control characters of text direction; a stray one would reverse the rest of a sentence. */
const DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** The title as plain text. */
export function incidentTitle(words: Words, incident: PublicIncident): string {
  if (incident.postmortem?.title) return oneLine(incident.postmortem.title);
  const [first, ...others] = incident.monitors.map(({ label }) => isolated(label));
  if (first === undefined) return words.severity[incident.severity];
  const labels =
    others.length === 0
      ? first
      : others.length === 1
        ? filled(words.andOne, { first, second: others[0]! })
        : filled(words.andMore, { first, count: others.length });
  return filled(words.titled, { severity: words.severity[incident.severity], labels });
}

/** The title as markup, in which the direction of one text does not affect the others. */
export const titleMarkup = (words: Words, incident: PublicIncident): Markup =>
  html`<bdi>${incidentTitle(words, incident)}</bdi>`;

/** A person's text inside a plain sentence: on one line, with its direction isolated. */
export const isolated = (text: string): string => kept(oneLine(text.replace(DIRECTION, '')));
