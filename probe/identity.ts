import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { emptyIfMissing } from './spool-segment.ts';

/**
 * The probe's own name, the same over restarts: the host's name and a random part, kept in the data directory. Rejects if it
 * cannot be read now: another name would have to be admitted, and take the place of this one.
 */
export async function probeIdentity(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'probe-id');
  const kept = (await readFile(path, 'utf8').catch(emptyIfMissing)).trim();
  if (/^[A-Za-z0-9._-]{1,100}$/.test(kept)) return kept;
  const host = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 60);
  const made = `${host}-${randomBytes(4).toString('hex')}`;
  await writeFile(path, `${made}\n`, { mode: 0o600 });
  return made;
}
