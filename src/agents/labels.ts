// The labels of a request (docs/rules/agents.md#labels).
import { layLabels, MAX_LABEL_CHARACTERS, readLabels, writeLabels } from '#src/domain/agent-labels.ts';
import { refuse } from '../platform/refusals.ts';

/** The labels as they are stored: trimmed, without duplicates or empty ones. Refuses with 400 and the field `labels`. */
export const checkedLabels = (text: string | null | undefined): string => writeLabels(parsed(text));

/** Merges the labels of a machine over those of its token, by key. */
export function labelsOver(stored: string, given: string | null | undefined): string {
  const labels = writeLabels(layLabels(parsed(stored), parsed(given)));
  // Merged, they must still fit the limit on one text.
  parsed(labels);
  if (labels.length > MAX_LABEL_CHARACTERS)
    no(`has more than ${MAX_LABEL_CHARACTERS} characters together with the labels of the token`);
  return labels;
}

function parsed(text: string | null | undefined): Map<string, string | null> {
  const read = readLabels(text ?? '');
  return read.ok ? read.labels : no(read.problem);
}

const no = (problem: string): never => refuse('invalid_request', `labels ${problem}.`, { field: 'labels' });
