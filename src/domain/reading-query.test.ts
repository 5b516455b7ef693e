import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryProblem } from './reading-query.ts';

const allowed = (engine: 'postgres' | 'mysql' | 'redis', ...queries: string[]) => {
  for (const query of queries) assert.equal(queryProblem(engine, query), null, query);
};
const refused = (engine: 'postgres' | 'mysql' | 'redis', ...queries: string[]) => {
  for (const query of queries) assert.notEqual(queryProblem(engine, query), null, query);
};

test('redis: commands that read pass, however they are spelt', () => {
  allowed('redis', 'PING', ' get key', 'MGET a b', 'lrange list 0 9', 'Cluster Info', 'OBJECT ENCODING key');
  allowed('redis', 'INFO replication', 'SENTINEL ckquorum mymaster', 'ECHO "two words"', '"GET" key');
});

test('redis: what writes, waits, runs scripts, lists everything or concerns the server is refused', () => {
  refused(
    'redis',
    'SET a b',
    'DEL a',
    'GETDEL a',
    'GETEX a',
    'EVAL "return 1" 0',
    'FCALL f 0',
    'SCRIPT LOAD x',
  );
  refused(
    'redis',
    'CONFIG SET dir /tmp',
    'CONFIG GET requirepass',
    'BGSAVE',
    'SAVE',
    'MODULE LOAD /tmp/x.so',
  );
  refused(
    'redis',
    'ACL SETUSER x on',
    'ACL LIST',
    'DEBUG SLEEP 9',
    'SHUTDOWN',
    'FLUSHALL',
    'MONITOR',
    'KEYS *',
  );
  refused(
    'redis',
    'BLPOP a 0',
    'XREAD BLOCK 0 STREAMS a $',
    'WAIT 1 0',
    'SUBSCRIBE a',
    'CLIENT KILL TYPE normal',
  );
  refused(
    'redis',
    'CLUSTER RESET',
    'CLUSTER',
    'MEMORY PURGE',
    'SLAVEOF a 1',
    'MULTI',
    'AUTH a',
    'SELECT 1',
    'QUIT',
  );
  refused('redis', '', 'GET "open', '"SET" a b', "'config' set a b");
});

test('sql: statements that return rows pass', () => {
  for (const engine of ['postgres', 'mysql'] as const) {
    allowed(engine, 'SELECT 1', ' \n(select 1) union (select 2)', 'WITH a AS (SELECT 1) SELECT * FROM a');
    allowed(engine, 'SHOW TABLES', 'EXPLAIN SELECT 1', 'VALUES (1)', 'TABLE goods');
  }
});

test('sql: every other kind of statement is refused', () => {
  for (const engine of ['postgres', 'mysql'] as const)
    refused(
      engine,
      ...['INSERT INTO a VALUES (1)', 'UPDATE a SET b = 1', 'DELETE FROM a', 'CREATE TABLE a (n int)'],
      ...[
        'COMMIT',
        'SET x = 1',
        'CALL p()',
        'DO 1',
        'LOCK TABLES a WRITE',
        "COPY a TO PROGRAM 'x'",
        'VACUUM',
      ],
      ...['/* SELECT */ DELETE FROM a', '-- SELECT\nDELETE FROM a', 'selected', '', ';SELECT 1', 'KILL 1'],
    );
});

test('sql: what reaches beyond the transaction is refused', () => {
  refused('mysql', "SELECT 1 INTO OUTFILE '/tmp/x'", 'SELECT 1 into/**/dumpfile "x"', 'SELECT 1 INTO @a');
  refused(
    'mysql',
    "SELECT LOAD_FILE('/etc/passwd')",
    "SELECT `load_file`('x')",
    'SELECT 1 /*!50000 INTO */ @a',
  );
  refused('mysql', 'SELECT 1 /*M! */', "SELECT GET_LOCK('a', 9)");
  refused('postgres', "SELECT pg_read_file('/etc/passwd')", "SELECT lo_export(1, '/tmp/x')");
  refused(
    'postgres',
    `SELECT "pg_catalog"."pg_read_binary_file"('x')`,
    "SELECT dblink_exec('a', 'DROP TABLE b')",
  );
  refused('postgres', "SELECT set_config('statement_timeout', '0', true)", 'SELECT pg_terminate_backend(1)');
  refused('postgres', `SELECT U&"lo\\005fexport"(1, 'x')`, "SELECT query_to_xml('SELECT 1', true, true, '')");
  refused('postgres', 'SELECT pg_advisory_lock(1)', "SELECT pg_ls_dir('.')", 'SELECT pg_reload_conf()');
  allowed(
    'postgres',
    'SELECT pg_is_in_recovery()',
    'SELECT count(*) FROM pg_stat_activity',
    'SELECT pg_sleep(1)',
  );
  allowed('postgres', 'SELECT * FROM pg_replication_slots', "SELECT pg_database_size('shop')");
});
