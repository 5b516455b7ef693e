// The files of an agent: its identity, and the server's last answer.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClockOffset } from './clock.ts';
import { isRecord } from './heartbeat.ts';
import { readWatched, type WatchedName } from './reply.ts';

/** The agent's identity, and its server. */
export type Identity = { url: string; agentId: string; credential: string };

/** The settings of the server's last answer: an agent that starts while the server is away uses them. */
export type Settings = {
  intervalSeconds: number;
  watched: WatchedName[];
  inventoryEnabled: boolean;
  bearings: ClockOffset | null;
};

export type Store = {
  readonly credentialPath: string;
  readonly bufferDir: string;
  /** null: not enrolled. Throws a sentence if the file cannot be trusted or read. */
  readIdentity(): Identity | null;
  /** Throws a sentence if it cannot be written. */
  writeIdentity(identity: Identity): void;
  /** The id by which the server recognizes a repeated enrolment; written before the first request. */
  enrollmentId(): string;
  readSettings(): Settings | null;
  /** Stored if the disk allows it. */
  writeSettings(settings: Settings): void;
};

/** The files in a folder, which is created, for its user alone, with the first file. */
export function openStore(dir: string): Store {
  const credentialPath = join(dir, 'agent.json');
  const enrollmentPath = join(dir, 'enrollment-id');
  const settingsPath = join(dir, 'settings.json');
  return {
    credentialPath,
    bufferDir: join(dir, 'buffer'),
    readIdentity() {
      const text = readPrivate(credentialPath);
      if (text === null) return null;
      const value = parse(text);
      if (isRecord(value)) {
        const { url, agent_id: agentId, credential } = value;
        if (typeof url === 'string' && typeof agentId === 'string' && typeof credential === 'string')
          return { url, agentId, credential };
      }
      throw new Error(
        `${credentialPath} is damaged. Remove it, and enrol this machine again with --url and --token.`,
      );
    },
    writeIdentity: ({ url, agentId, credential }) =>
      writeWhole(dir, credentialPath, { url, agent_id: agentId, credential }),
    enrollmentId() {
      const known = parse(readPrivate(enrollmentPath) ?? '');
      if (typeof known === 'string') return known;
      const made = randomBytes(16).toString('hex');
      writeWhole(dir, enrollmentPath, made);
      return made;
    },
    readSettings: () => readSettings(readText(settingsPath)),
    writeSettings({ intervalSeconds, watched, inventoryEnabled, bearings }) {
      try {
        writeWhole(dir, settingsPath, { intervalSeconds, watched, inventoryEnabled, bearings });
      } catch {
        // The server sends it again; that is all that a failure costs.
      }
    },
  };
}

function readSettings(text: string | null): Settings | null {
  const value = parse(text ?? '');
  if (!isRecord(value)) return null;
  const { intervalSeconds, watched, inventoryEnabled, bearings } = value;
  if (!Number.isInteger(intervalSeconds) || (intervalSeconds as number) < 1) return null;
  const known = isRecord(bearings) && typeof bearings.boot === 'string' && Number.isFinite(bearings.offsetMs);
  return {
    intervalSeconds: intervalSeconds as number,
    watched: readWatched(watched),
    inventoryEnabled: inventoryEnabled === true,
    bearings: known ? (bearings as ClockOffset) : null,
  };
}

/** A file that only its user may read; null: there is none. */
function readPrivate(path: string): string | null {
  const text = readText(path);
  if (text === null || process.platform === 'win32') return text;
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(
      `Other users of this machine may read ${path}. Remove their rights (chmod 600 ${path}); if somebody may have read it, ` +
        'remove this agent in Tocsin and enrol the machine again.',
    );
  return text;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Error(
      `${path} cannot be read (${code}). Start the agent as the user who enrolled it, or name another folder with --data-dir.`,
    );
  }
}

/** Writes a file in one step, readable by its user only. */
function writeWhole(dir: string, path: string, value: unknown): void {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `${path} cannot be written (${code}). Make room on its disk, or give this user the folder, or name another one with --data-dir.`,
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
