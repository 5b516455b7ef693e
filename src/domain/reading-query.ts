// A database check may send only queries that read. Besides this check, SQL runs in a read-only transaction; the third
// limit is the user the check signs in as, which the operator of the database controls.
import { commandWords } from './redis-command-line.ts';
import { calledAttribute } from './sql-attributes.ts';
import { grouped, isNamed, unlistedCall, wordAt } from './sql-calls.ts';
import { type SqlEngine, sqlTokens, type Token } from './sql-tokens.ts';

type Engine = SqlEngine | 'redis';

/** Why a query is refused, as the end of a sentence that begins with its field; null if it only reads. */
export function queryProblem(engine: Engine, query: string): string | null {
  return engine === 'redis' ? commandProblem(query) : sqlProblem(engine, query);
}

/** By the first word: statements of these kinds return rows and change none. */
const STATEMENTS: Record<SqlEngine, readonly string[]> = {
  postgres: ['select', 'with', 'values', 'table', 'show', 'explain'],
  mysql: ['select', 'with', 'values', 'table', 'show', 'explain', 'describe', 'desc'],
};

/** Syntax that reaches beyond tables without parentheses: other statements, files, row locks, one call of two words. */
const BEYOND: Record<SqlEngine, RegExp> = {
  postgres: /^(execute|collation for|reg(proc|procedure|oper|operator))$/,
  mysql: /^(execute|into|for update|for share|lock in)$/,
};

/** PostgreSQL truncates longer names, so two of them could become one. */
const LONGEST_NAME_BYTES = 63;

function sqlProblem(engine: SqlEngine, query: string): string | null {
  const [, first = ''] = /^[\s(]*([a-z]+)\b/i.exec(query) ?? [];
  const statements = STATEMENTS[engine];
  if (!statements.includes(first.toLowerCase()))
    return `must begin with ${listed(statements.map((word) => word.toUpperCase()))}: a check only reads`;
  const tokens = sqlTokens(engine, query);
  if (typeof tokens === 'string') return tokens;
  const beyond = tokens
    .flatMap((_, at) => [wordAt(tokens, at), `${wordAt(tokens, at)} ${wordAt(tokens, at + 1)}`])
    .find((words) => BEYOND[engine].test(words));
  if (beyond !== undefined) return `must not contain ${beyond}: a check only reads, and reads tables`;
  return callProblem(engine, tokens);
}

function callProblem(engine: SqlEngine, tokens: readonly Token[]): string | null {
  const parsed = grouped(engine, tokens);
  const call = unlistedCall(parsed);
  if (call !== undefined) return unlisted(`must not call ${call.slice(0, 80)}`);
  if (engine === 'mysql') return null;
  if (tokens.some((token) => isNamed(token) && Buffer.byteLength(token.text) > LONGEST_NAME_BYTES))
    return `must not contain names of more than ${LONGEST_NAME_BYTES} bytes`;
  const attribute = calledAttribute(parsed);
  if (attribute === undefined) return null;
  return unlisted(`must not contain ${attribute.slice(0, 80)}, which PostgreSQL may read as a call`);
}

const unlisted = (problem: string) =>
  `${problem}: a check calls built-in functions that only read. For anything else make a view in the database that the ` +
  'user of the monitor may read, and select from that';

/** Commands that read a value, or a bounded part of one, or report the server's state; none waits for anything. */
const COMMANDS = new Set(
  (
    'PING ECHO TIME DBSIZE LASTSAVE INFO ROLE EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME GET MGET GETRANGE SUBSTR ' +
    'STRLEN GETBIT BITCOUNT BITPOS LLEN LRANGE LINDEX LPOS SCARD SISMEMBER SMISMEMBER SINTERCARD HGET HMGET HLEN ' +
    'HEXISTS HSTRLEN ZCARD ZCOUNT ZLEXCOUNT ZSCORE ZMSCORE ZRANK ZREVRANK ZRANGE ZREVRANGE XLEN XRANGE XREVRANGE ' +
    'XPENDING GEOPOS GEODIST'
  ).split(' '),
);

/** The second words that these commands may have. */
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
  if (words === undefined || words.length === 0) return 'is not a command line: check its quotes';
  const [name = '', sub = ''] = words.map((word) => word.toUpperCase());
  if (COMMANDS.has(name) || WITH_SUBCOMMAND[name]?.includes(sub)) return null;
  const known = WITH_SUBCOMMAND[name];
  if (known) return `must ask ${name} for ${listed(known)}: a check only reads`;
  return `must be a command that reads, such as PING, GET, EXISTS, LLEN or INFO, not ${words[0]?.slice(0, 40)}`;
}

const listed = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
