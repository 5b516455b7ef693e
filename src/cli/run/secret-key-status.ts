// `tocsin secret-key status`.
import { serversWithAnotherKey } from '#src/secret-key/keys-in-force.ts';
import { countSeals } from '#src/secret-key/reseal.ts';
import { columns } from '../columns.ts';
import { type OpenedInstallation, withInstallation } from '../open-installation.ts';
import { counted } from '../progress.ts';
import { total } from '../secret-key.ts';

/** Prints the keys and how many stored secrets are sealed under each; returns the exit code. */
export async function run(): Promise<number> {
  return withInstallation(async (opened) => {
    const { vault, database } = opened;
    const [current, ...earlier] = vault.keyIds;
    const counts = await countSeals(database.db, vault);
    const others = await serversWithAnotherKey(database.db, vault);
    const rows = counts.map(({ table, column, current: done, left, unreadable }) =>
      [`${table}.${column}`, done, left, unreadable].map(String),
    );
    process.stdout.write(
      `In force: ${current}\nEarlier:  ${earlier.join(', ') || 'none'}\n\n` +
        `${columns([['SECRETS IN', 'SEALED UNDER IT', 'LEFT', 'OF NO KNOWN KEY'], ...rows])}\n` +
        `${nextStep(opened, { left: total(counts, 'left'), unreadable: total(counts, 'unreadable'), others })}\n`,
    );
    return 0;
  });
}

function nextStep(
  { vault }: OpenedInstallation,
  { left, unreadable, others }: { left: number; unreadable: number; others: number },
): string {
  const lost =
    unreadable === 0
      ? ''
      : `${counted(unreadable, 'secret')} cannot be opened with any of these keys: add the missing key ` +
        '(SECRET_KEY_PREVIOUS), or enter the secrets again.\n';
  if (others > 0)
    return `${lost}${counted(others, 'server')} still ${others === 1 ? 'runs' : 'run'} with another key: restart ${others === 1 ? 'it' : 'them'} with this one.`;
  if (left > 0) return `${lost}Servers seal the remaining secrets automatically, from their start on.`;
  if (vault.keyIds.length > 1)
    return `${lost}Nothing is sealed under an earlier key. Finish the rotation: tocsin secret-key finish`;
  return `${lost}No rotation is in progress.`;
}
