// Shared by `tocsin region admit`, `refuse` and `remove`.
import { runWork, type Work } from '../platform/work.ts';
import { OPERATOR, withInstallation } from './open-installation.ts';
import { explainNotFound } from './region-not-found.ts';

/** Changes a probe of a region with `change` and prints that it is now `done`; returns the exit code. */
export async function changeProbe(
  slug: string,
  probeId: string,
  done: string,
  change: (work: Work) => Promise<unknown>,
): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    await runWork(db, now, OPERATOR, change).catch((error: unknown) =>
      explainNotFound(db, now, slug, error, probeId),
    );
    process.stdout.write(`Probe ${probeId} of region ${slug} is ${done}.\n`);
    return 0;
  });
}
