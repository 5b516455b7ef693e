// The servers on a database, known to each other by their listening connections: each says in the name of its own which key it
// seals with and what it does, and asks the database over it four times a second (./pulse.ts).
import { sql } from 'kysely';
import { SERVER_ROLES, type ServerRole } from '#src/domain/names.ts';
import type { Database } from '../work.ts';

/** A server that holds a listening connection to the database. */
export type KnownServer = {
  /** The id of the SECRET_KEY that it has in force. */
  keyId: string;
  roles: readonly ServerRole[];
  /** It asked the database within the last seconds: it is neither hanging nor cut off. */
  answers: boolean;
};

const PREFIX = 'tocsin listen ';
/** A server asks every quarter of a second, and one that is held up for a while is not gone. */
const SILENT_SECONDS = 10;

/** The name of a server's listening connection. One that has all roles does not list them, nor did earlier versions. */
export function serverName({ keyId, roles }: Pick<KnownServer, 'keyId' | 'roles'>): string {
  const all = SERVER_ROLES.every((role) => roles.includes(role));
  return `${PREFIX}${keyId}${all ? '' : ` ${roles.join()}`}`;
}

/** Every server that is connected to this database. */
export async function knownServers(db: Database): Promise<KnownServer[]> {
  const { rows } = await sql<{ name: string; answers: boolean }>`
    SELECT application_name AS name,
      coalesce(state_change > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}), true) AS answers
    FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${`${PREFIX}%`}`.execute(db);
  return rows.map(({ name, answers }) => {
    const [keyId = '', listed] = name.slice(PREFIX.length).split(' ');
    const named = listed?.split(',') ?? SERVER_ROLES;
    return { keyId, roles: SERVER_ROLES.filter((role) => named.includes(role)), answers };
  });
}
