// Creates many monitors in one transaction. Each is accepted or refused by itself, by the rules of a single creation; a refusal
// comes before the first write of its monitor, so the others are still created.
import { visibleName } from '#src/domain/visible-name.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { Work } from '#src/platform/work.ts';
import { lockPlace, type Place, prepareMonitor, writeMonitor } from '../create.ts';
import type { ShownAt } from '../row.ts';
import type { MonitorOptions } from '../validate.ts';
import type { CreatedMonitor, NewMonitors } from './contract.ts';
import { freeName } from './free-names.ts';

/** Returns an answer for each body, in order. A name in use gets a number; with `preview` nothing is written. */
export async function createMonitors(
  work: Work,
  place: Place,
  { monitors, preview = false, preview_after: before = 0 }: NewMonitors,
  options: MonitorOptions & ShownAt,
): Promise<CreatedMonitor[]> {
  const { tx } = work;
  // Any of them may name other monitors and have tags: these locks come before those that the first one takes.
  await lockPlace(tx, { ...place, naming: true, tagging: true });
  const inUse = await namesIn(work, place.projectId);
  const answers: CreatedMonitor[] = [];
  let pending = preview ? before : 0;
  for (const body of monitors) {
    const wanted = visibleName(body.name);
    const name = wanted === '' ? '' : freeName(wanted, inUse);
    try {
      const prepared = await prepareMonitor(tx, place, { ...body, name }, options, pending);
      const made = preview ? null : await writeMonitor(work, place, { ...prepared, example: false }, options);
      if (preview) pending += 1;
      answers.push({ monitor_id: made?.id ?? null, name, refusal: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      inUse.delete(name);
      const { error: code, message, field } = error.body();
      answers.push({
        monitor_id: null,
        name,
        refusal: { error: code, message, ...(field ? { field } : {}) },
      });
    }
  }
  return answers;
}

async function namesIn({ tx }: Work, projectId: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('monitors').select('name').where('project_id', '=', projectId).execute();
  return new Set(rows.map(({ name }) => name));
}
