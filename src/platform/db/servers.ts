// The servers on a database, which know each other by their listening connections: the name of a connection has the id of the
// server's key and its roles, and the server queries the database over it four times a second (./health-check.ts).
import { sql } from 'kysely';
import { SERVER_ROLES, type ServerRole } from '#src/domain/names.ts';
import type { Database } from '../work.ts';

/** A server that holds a listening connection to the database. */
export type KnownServer = {
  /** The id of its current SECRET_KEY. */
  keyId: string;
  roles: readonly ServerRole[];
  /** It queried the database within the last seconds: it neither hangs nor is cut off. */
  answers: boolean;
};

const PREFIX = 'tocsin listen ';
/** A server queries every quarter of a second; one that is held up for a while is not gone. */
const SILENT_SECONDS = 10;

/** The name of a server's listening connection. A server with all roles does not list them, as earlier versions never did. */
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
