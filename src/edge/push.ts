// Pushes the wanted configuration to one edge.
import { isDeepStrictEqual } from 'node:util';
import { EdgeFailure, readConfig, replaceConfig } from './caddy-admin.ts';
import { type CaddyConfig, caddyConfig, type EdgeSettings, namesOf } from './caddy-config.ts';

/** The state of an edge. */
export type EdgeState = {
  adminUrl: string;
  /** The names it serves; null: it does not answer. */
  names: ReadonlySet<string> | null;
  /** Whether its configuration differed and was replaced. */
  isReplaced: boolean;
  /** null: it has the wanted configuration. */
  failure: EdgeFailure | null;
};

/** Settings of the edge's own machine, which are kept: its admin listener, logs and storage. */
const KEPT = ['admin', 'logging', 'storage'] as const;

/** The configuration for an edge that has `current`. */
export const wantedOf = (current: CaddyConfig | null, made: CaddyConfig): CaddyConfig => ({
  ...Object.fromEntries(KEPT.flatMap((name) => (current?.[name] ? [[name, current[name]]] : []))),
  ...made,
});

/**
 * Replaces the configuration of an edge where it is not the one for the names that `namesNow` answers, which is asked as late
 * as possible: another server may have replaced it meanwhile. Never rejects but with an error of ours.
 */
export async function pushConfig({
  adminUrl,
  settings,
  namesNow,
  signal,
}: {
  adminUrl: string;
  settings: EdgeSettings;
  namesNow: () => Promise<readonly string[]>;
  signal: AbortSignal | undefined;
}): Promise<EdgeState> {
  let current: CaddyConfig | null = null;
  try {
    current = await readConfig(adminUrl, signal);
  } catch (error) {
    return { adminUrl, names: null, isReplaced: false, failure: failureOf(error) };
  }
  const names = await namesNow();
  const wanted = wantedOf(current, caddyConfig(settings, names));
  if (isDeepStrictEqual(current, wanted))
    return { adminUrl, names: namesOf(wanted), isReplaced: false, failure: null };
  try {
    await replaceConfig(adminUrl, wanted, signal);
    return { adminUrl, names: namesOf(wanted), isReplaced: true, failure: null };
  } catch (error) {
    const failure = failureOf(error);
    return {
      adminUrl,
      names: failure.reason === 'away' ? null : namesOf(current),
      isReplaced: false,
      failure,
    };
  }
}

function failureOf(error: unknown): EdgeFailure {
  if (error instanceof EdgeFailure) return error;
  throw error;
}
