// Everything that the German dashboard needs to translate the texts of probes. Data alone: the start of the dashboard waits for it,
// and so for ever if it imported code that the start has too.
import type { Sentences } from './in-german.ts';
import { EXPECTED_IN_GERMAN, PROBE_IN_GERMAN } from './probe.ts';
import { ANSWERED_IN_GERMAN, TARGET_IN_GERMAN } from './target.ts';

export const GERMAN_SENTENCES: Sentences = {
  details: { ...TARGET_IN_GERMAN, ...PROBE_IN_GERMAN },
  answered: ANSWERED_IN_GERMAN,
  expected: EXPECTED_IN_GERMAN,
};
