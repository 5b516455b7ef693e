// `tocsin region token SLUG`.
import { runWork } from '#src/platform/work.ts';
import { listAdministered } from '#src/regions/administered.ts';
import {
  createProbeToken,
  DEFAULT_PROBES_PER_TOKEN,
  probeCommand,
  revokeProbeToken,
} from '#src/regions/tokens.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { explainNotFound } from '../region-not-found.ts';

/**
 * Creates a token that admits `probes` probes, and prints the command that starts one; with `rotate` the bundled probe gets
 * another token instead. Returns the exit code.
 */
export async function run(
  slug: string,
  { probes, rotate }: { probes?: string; rotate?: true },
): Promise<number> {
  const most = probes === undefined ? DEFAULT_PROBES_PER_TOKEN : Number(probes);
  if (!Number.isInteger(most) || most < 1 || most > 1000)
    throw new Error(`--probes ${probes} is not a whole number from 1 to 1000.`);
  return withInstallation(async ({ database: { db }, now, config }) => {
    if (rotate) {
      const [region] = await listAdministered(db, now, slug);
      const bundled = region?.probe_tokens.find((token) => token.bundled);
      if (!bundled)
        throw new Error(
          `The bundled probe has no token in the region ${JSON.stringify(slug)}; it checks for "local". Revoke other tokens in the dashboard, and create new ones with: tocsin region token SLUG`,
        );
      await runWork(db, now, OPERATOR, (work) => revokeProbeToken(work, slug, bundled.id));
      process.stdout.write(
        'The token of the bundled probe is revoked. A running server restarts its probe with a new token at once; a stopped one creates it at its next start.\n',
      );
      return 0;
    }
    const made = await runWork(db, now, OPERATOR, (work) => createProbeToken(work, slug, most)).catch(
      (error: unknown) => explainNotFound(db, now, slug, error),
    );
    process.stdout.write(
      `${probeCommand(config.baseUrl, made.token)}\n\n` +
        `Run this on the machine of the probe. The token is not shown again. It admits the first ${most === 1 ? 'probe' : `${most} probes`}\n` +
        `automatically; further ones wait until you admit them: tocsin region admit ${slug} PROBE (tocsin region list shows them).\n`,
    );
    return 0;
  });
}
