// `tocsin region add SLUG`.
import { runWork } from '#src/platform/work.ts';
import { createRegion } from '#src/regions/create.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

type RegionOptions = { name: string; canary?: string[]; internal?: true; allowPrivateTargets?: true };

/** Adds a region; returns the exit code. */
export async function run(slug: string, options: RegionOptions): Promise<number> {
  const region = {
    slug,
    name: options.name,
    canaries: options.canary ?? [],
    internal: options.internal ?? false,
    allow_private_targets: options.allowPrivateTargets ?? false,
  };
  return withInstallation(async ({ database: { db }, now, config }) => {
    const allowed = { allowSingleLabel: config.allowSingleLabelHosts };
    await runWork(db, now, OPERATOR, (work) => createRegion(work, region, allowed));
    process.stdout.write(
      `Region ${slug} added. It starts checking as soon as it has a probe: tocsin region token ${slug}\n`,
    );
    return 0;
  });
}
