// What a database check may ask: only what reads. Beside it SQL runs in a transaction that cannot write; the user it signs
// in as is the third fence, and the operator of the database holds it.
import { commandWords } from './redis-command-line.ts';

type Engine = 'postgres' | 'mysql' | 'redis';

/** What speaks against a query, as the end of a sentence that begins with its field; null where it only reads. */
export function queryProblem(engine: Engine, query: string): string | null {
  return engine === 'redis' ? commandProblem(query) : sqlProblem(engine, query);
}

/** By the first word: statements of these kinds return rows and change none. */
const STATEMENTS: Record<'postgres' | 'mysql', readonly string[]> = {
  postgres: ['select', 'with', 'values', 'table', 'show', 'explain'],
  mysql: ['select', 'with', 'values', 'table', 'show', 'explain', 'describe', 'desc'],
};

/**
 * What reaches beyond a transaction that can only read: files of the server, other sessions, other servers, settings, SQL
 * given as text. Looked for everywhere, in texts and comments too: how a server reads quotes depends on its settings.
 */
const BEYOND: Record<'postgres' | 'mysql', RegExp> = {
  postgres:
    /\b(lo_(im|ex)port|pg_(read_|write_|file_|ls_|stat_file|terminate_|cancel_|reload_|rotate_|promote|switch_|create_|drop_|advisory_|try_advisory_|notify|logical_emit_|wal_replay_|backup_|restore_|import_)\w*|dblink\w*|set_config|(query|cursor|table|schema|database)_to_xml\w*)\b|\bu&"/i,
  mysql: /\b(into|load_file|get_lock|sys_exec|sys_eval)\b|\/\*m?!/i,
};

function sqlProblem(engine: 'postgres' | 'mysql', query: string): string | null {
  const [, first = ''] = /^[\s(]*([a-z]+)\b/i.exec(query) ?? [];
  const statements = STATEMENTS[engine];
  if (!statements.includes(first.toLowerCase()))
    return `must begin with ${listed(statements.map((word) => word.toUpperCase()))}: a check only reads`;
  const [beyond] = BEYOND[engine].exec(query) ?? [];
  return beyond === undefined ? null : `must not contain ${beyond}: a check only reads, and reads tables`;
}

/** Commands that read a value, or a bounded part of one, or say how the server is; none waits for anything. */
const COMMANDS = new Set(
  (
    'PING ECHO TIME DBSIZE LASTSAVE INFO ROLE EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME GET MGET GETRANGE SUBSTR ' +
    'STRLEN GETBIT BITCOUNT BITPOS LLEN LRANGE LINDEX LPOS SCARD SISMEMBER SMISMEMBER SINTERCARD HGET HMGET HLEN ' +
    'HEXISTS HSTRLEN ZCARD ZCOUNT ZLEXCOUNT ZSCORE ZMSCORE ZRANK ZREVRANK ZRANGE ZREVRANGE XLEN XRANGE XREVRANGE ' +
    'XPENDING GEOPOS GEODIST'
  ).split(' '),
);

/** Of these, what the second word makes of them. */
const WITH_SUBCOMMAND: Readonly<Record<string, readonly string[]>> = {
  ACL: ['WHOAMI'],
  CLUSTER: ['INFO', 'MYID', 'NODES', 'SHARDS', 'SLOTS', 'KEYSLOT', 'COUNTKEYSINSLOT'],
  COMMAND: ['COUNT'],
  MEMORY: ['USAGE'],
  OBJECT: ['ENCODING', 'FREQ', 'IDLETIME', 'REFCOUNT'],
  SENTINEL: ['CKQUORUM', 'GET-MASTER-ADDR-BY-NAME', 'MASTER', 'MASTERS', 'REPLICAS', 'SENTINELS'],
  XINFO: ['STREAM', 'GROUPS', 'CONSUMERS'],
};

function commandProblem(line: string): string | null {
  const words = commandWords(line);
  if (words === undefined || words.length === 0) return 'is not a command line: mind its quotes';
  const [name = '', sub = ''] = words.map((word) => word.toUpperCase());
  if (COMMANDS.has(name) || WITH_SUBCOMMAND[name]?.includes(sub)) return null;
  const known = WITH_SUBCOMMAND[name];
  if (known) return `must ask ${name} for ${listed(known)}: a check only reads`;
  return `must be a command that reads, such as PING, GET, EXISTS, LLEN or INFO, not ${words[0]?.slice(0, 40)}`;
}

const listed = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
