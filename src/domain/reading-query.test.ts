import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { queryProblem } from './reading-query.ts';

const allowed = (engine: 'postgres' | 'mysql' | 'redis', ...queries: string[]) => {
  for (const query of queries) assert.equal(queryProblem(engine, query), null, query);
};
const refused = (engine: 'postgres' | 'mysql' | 'redis', ...queries: string[]) => {
  for (const query of queries) assert.notEqual(queryProblem(engine, query), null, query);
};

test('redis: read commands pass, in any spelling', () => {
  allowed('redis', 'PING', ' get key', 'MGET a b', 'lrange list 0 9', 'Cluster Info', 'OBJECT ENCODING key');
  allowed('redis', 'INFO replication', 'SENTINEL ckquorum mymaster', 'ECHO "two words"', '"GET" key');
});

test('redis: commands that write, block, run scripts, list everything or manage the server are refused', () => {
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

test('sql: any other kind of statement is refused', () => {
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

test('sql: a query that reaches beyond the transaction is refused', () => {
  refused('mysql', "SELECT 1 INTO OUTFILE '/tmp/x'", 'SELECT 1 into/**/dumpfile "x"', 'SELECT 1 INTO @a');
  refused(
    'mysql',
    "SELECT LOAD_FILE('/etc/passwd')",
    "SELECT `load_file`('x')",
    'SELECT 1 /*!50000 INTO */ @a',
  );
  refused('mysql', 'SELECT 1 /*M! */', "SELECT GET_LOCK('a', 9)");
  refused('mysql', 'SELECT * FROM a FOR UPDATE', 'SELECT * FROM a LOCK IN SHARE MODE');
  refused('postgres', 'EXPLAIN EXECUTE prepared', "SELECT 'pg_sleep'::regproc");
});

const POSTGRES_ATTACKS = [
  // SQL as text, with any content.
  "SELECT * FROM ts_stat('select to_tsvector(pg_termi'||'nate_backend(pid)::text) from pg_stat_activity')",
  "SELECT * FROM ts_stat('select to_tsvector(pg_read'||'_file(''/etc/passwd''))')",
  "SELECT * FROM ts_stat('select to_tsvector(set_config(''statement_timeout'',''0'',false))')",
  "SELECT ts_rewrite('a'::tsquery, 'SELECT 1')",
  "SELECT * FROM crosstab('SELECT 1') AS t(a int, b int)",
  "SELECT query_to_xml('SELECT 1', true, true, '')",
  // Other sessions, statistics, settings, locks, files, slots, the network, waiting.
  'SELECT pg_stat_reset()',
  'SELECT pg_terminate_backend(1)',
  "SELECT set_config('statement_timeout', '0', true)",
  'SELECT pg_advisory_lock(1)',
  "SELECT pg_read_file('/etc/passwd')",
  "SELECT lo_export(1, '/tmp/x')",
  "SELECT pg_logical_slot_get_changes('s', null, null)",
  "SELECT pg_replication_slot_advance('s', '0/0')",
  "SELECT http_get('http://x')",
  "SELECT http_post('http://x', '', '')",
  "SELECT * FROM aws_lambda.invoke('f', '{}')",
  "SELECT aws_s3.query_export_to_s3('SELECT 1', 'b')",
  "SELECT cron.schedule('* * * * *', 'VACUUM')",
  "SELECT * FROM dblink('host=x', 'SELECT 1') AS t(a int)",
  'SELECT pg_sleep(1)',
  "SELECT nextval('s')",
  'SELECT my_own()',
  // Any spelling of a name.
  'SELECT pg_stat_reset ()',
  'SELECT PG_STAT_RESET/* (1) */-- (2)\n()',
  'SELECT "pg_stat_reset"()',
  `SELECT "pg_catalog"."pg_read_binary_file"('x')`,
  'SELECT pg_catalog . pg_stat_reset()',
  `SELECT U&"lo\\005fexport"(1, 'x')`,
  `SELECT U&"!0070g_stat_reset" UESCAPE '!' ()`,
  'SELECT shop.lower(1)',
  'SELECT a.pg_catalog.lower(1)',
  'SELECT "LOWER"(1)',
  'SELECT "in"(1)',
  'SELECT shop.in(1)',
  // In the position of a table name or a type name.
  'SELECT DISTINCT ON (pid) pg_terminate_backend(pid) FROM pg_stat_activity',
  'SELECT * FROM a, dblink(a.b, a.c) AS (x int)',
  'SELECT * FROM a, dblink(a.b, a.c) AS materialized (values int)',
  'SELECT * FROM generate_series(1, 2) g(n), pg_stat_reset() r(n)',
  'SELECT 1 WHERE (a) IN (1) AND pg_stat_reset() IS NULL',
  'SELECT 1 OPERATOR(pg_catalog.+) pg_sleep(1)',
  // After something that looks like a text or a comment.
  "SELECT $$'$$, pg_stat_reset(), $$'$$",
  "SELECT E'\\', pg_stat_reset(), '",
  "SELECT '\\' || pg_stat_reset() || '\\'",
  'SELECT /* /* */ 1 */ pg_stat_reset()',
  'SELECT 1 -- \r, pg_stat_reset()',
  "SELECT '1', pg_stat_reset(), '",
  // Attributes that are calls.
  "SELECT ('select 1'::text).ts_stat",
  "SELECT (ARRAY['select 1'])[1].ts_stat",
  "SELECT u.ts_stat FROM unnest(ARRAY['select 1']) u",
  'SELECT U . /* a */ "pg_terminate_backend" FROM unnest(ARRAY[1]) AS u(x)',
  'SELECT unnest.pg_terminate_backend FROM unnest(ARRAY[1])',
  'SELECT c.http_get FROM current_user c',
  "SELECT c.http_get FROM COLLATION FOR ('x') c",
  'SELECT current_user.http_get FROM current_user',
  "SELECT c.http_get FROM CAST('http://x' AS text) c",
  "SELECT 1 FROM a JOIN b ON a.c = b.c, ROWS FROM (unnest(ARRAY['x'])) u WHERE u.http_get = 1",
  "SELECT u.f FROM unnest(ARRAY['x']) u, (SELECT 1 FROM generate_series(1, 2) u(f)) x",
  `SELECT u.f FROM unnest(ARRAY['x']) u("F")`,
  `SELECT ${'a'.repeat(63)}.f FROM unnest(ARRAY['x']) ${'a'.repeat(64)}`,
];

const MYSQL_ATTACKS = [
  "SELECT LOAD_FILE('/etc/passwd')",
  "SELECT `load_file`('x')",
  `SELECT "load_file"('x')`,
  "SELECT GET_LOCK('a', 9)",
  'SELECT SLEEP(1)',
  'SELECT sleep (1)',
  'SELECT sleep/**/(1)',
  'SELECT sleep 1.e(1)',
  'SELECT sleep# (\n(1)',
  'SELECT 1 --(\n, sleep(1)',
  "SELECT BENCHMARK(1000000000, MD5('a'))",
  'SELECT sys.ps_kill(1)',
  'SELECT shop . writes()',
  'SELECT shop.lower(1)',
  'SELECT `shop`.`1e5`(1)',
  'SELECT shop.1e5(1)',
  "SELECT '\\' OR sleep(1) OR '\\''",
  `SELECT "'", sleep(1), "'"`,
  'SELECT /*+ SET_VAR(max_execution_time = 0) */ 1',
  "SELECT spider_direct_sql('x', 'y', 'z')",
  "SELECT sys_exec('x')",
  'SELECT {fn sleep(1)}',
];

test('sql: a function that is not on the list is refused, however it is called', () => {
  refused('postgres', ...POSTGRES_ATTACKS);
  refused('mysql', ...MYSQL_ATTACKS);
});

test('sql: a refusal names the function and the alternative', () => {
  assert.equal(
    queryProblem('postgres', 'SELECT cron . /* */ schedule (1)'),
    'must not call cron.schedule: a check calls built-in functions that only read. For anything else make a view in the ' +
      'database that the user of the monitor may read, and select from that',
  );
});

const POSTGRES_HONEST = [
  'SELECT pg_is_in_recovery()',
  'SELECT count(*) FROM pg_stat_activity',
  'SELECT * FROM pg_replication_slots',
  "SELECT pg_database_size('shop'), pg_size_pretty(pg_total_relation_size('orders'::regclass))",
  "SELECT 1 / (now() - pg_last_xact_replay_timestamp() < interval '5 minutes')::int",
  'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) FROM pg_stat_replication',
  "SELECT current_setting('server_version_num')::int >= 150000, pg_catalog.version()",
  'WITH a AS (SELECT 1), b (n, m) AS NOT MATERIALIZED (SELECT 1, 2), c(n) AS (VALUES (1)) SELECT a.*, b.n FROM a, b',
  'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 9) SELECT max(n) FROM s',
  'SELECT row_number() OVER (PARTITION BY a ORDER BY b), sum(n) FILTER (WHERE n > 0) OVER w FROM t WINDOW w AS (ORDER BY n)',
  'SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) FROM requests GROUP BY ROLLUP (a, b)',
  "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(id, name) JOIN LATERAL (SELECT 1) x(n) ON (v.id = x.n)",
  'SELECT o.id FROM shop.orders o JOIN "user" AS u USING (id) WHERE o.a NOT IN(1, 2) AND EXISTS(SELECT 1)',
  'SELECT g.n, day.day FROM generate_series(1, 3) g(n), generate_series(1, 3) AS day, unnest(ARRAY[1]) WITH ORDINALITY e(v, n)',
  "SELECT e.key, r.a FROM json_each('{}') e, json_to_recordset('[]') AS r(a numeric(10, 2), b varchar(9))",
  'SELECT count(*) AS orders, date(max(created)) FROM orders WHERE orders.paid IS DISTINCT FROM true',
  "SELECT x::numeric(10,2), CAST(y AS character varying(10)), z::geometry(Point, 4326), timestamp(3) '2026-01-01' FROM t",
  "SELECT EXTRACT(EPOCH FROM now() - max(created_at)), date_trunc('hour', now()), to_char(now(), 'HH24:MI') FROM orders",
  "SELECT name FROM jobs WHERE note ~ '^\\d+\\.(\\d+)$' OR note LIKE 'pg_sleep(1); it''s into %' -- a (comment)",
  "SELECT /* how (many) 'jobs' */ count(*) FROM jobs -- it's fine",
  "SELECT CASE WHEN (a) > 1 THEN (2) ELSE (3) END, (a.b).*, a[1], coalesce(a #> '{b}', '{}') FROM a;",
  'SELECT a FROM b WHERE c = ANY (ARRAY[1, 2]) AND (d, e) IN ((1, 2)) AND NOT (f) OR (SELECT TRUE)',
  'SELECT größe FROM "Maße (cm)" WHERE "Maße (cm)".höhe > 1.5e3 AND a$b = 0xff',
  'SELECT upper(\'a\') || "pg_catalog"."lower"(\'B\') AS "Ein Name"',
  'EXPLAIN (ANALYZE, BUFFERS) SELECT 1',
  'SHOW server_version',
];

const MYSQL_HONEST = [
  'SELECT COUNT(*) FROM `shop`.`goods` WHERE `n` IN (1, 2)',
  "SELECT IF(COUNT(*) = 0, 1, (SELECT 1 UNION SELECT 2)) FROM information_schema.processlist WHERE info = 'SELECT SLEEP(30)'",
  "SELECT TIMESTAMPDIFF(SECOND, MAX(created), NOW()) FROM jobs WHERE note = 'put into (box)'",
  'SELECT DATE_SUB(NOW(), INTERVAL 1 DAY), CAST(a AS DECIMAL(10,2)), CAST(b AS CHAR(9)), CONVERT(c USING utf8mb4) FROM t',
  "SELECT GROUP_CONCAT(DISTINCT a ORDER BY b SEPARATOR ', ') FROM t FORCE INDEX (a) GROUP BY b WITH ROLLUP",
  'WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 9) SELECT s.n FROM s # all (of) them',
  'SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS place, IFNULL(c, "none (yet)") FROM t -- it\'s fine',
  "SELECT JSON_UNQUOTE(JSON_EXTRACT(doc, '$.a')), MATCH (a) AGAINST ('b' IN BOOLEAN MODE) FROM t",
  'SELECT @@global.read_only, VERSION(), DATABASE()',
  "SELECT * FROM t WHERE a BETWEEN (1) AND (2) AND b REGEXP ('^a') XOR (c DIV (2))",
  "SHOW GLOBAL STATUS LIKE 'Threads_connected'",
  'DESCRIBE goods',
];

test('sql: typical queries of checks pass', () => {
  allowed('postgres', ...POSTGRES_HONEST);
  allowed('mysql', ...MYSQL_HONEST);
});

const NAMES = [
  'pg_stat_reset',
  '"ts_stat"',
  'shop.lower',
  'Sleep',
  'dblink_exec',
  'pg_catalog . set_config',
  'x',
];
const GAPS = ['', ' ', '\n', '/* ( */', "-- it's (\n", '\t/**/ '];

test('sql: an unlisted call is refused in every position of an allowed query', () => {
  const leaf = fc.constantFrom('1', "'a(b'", 't.a', '"A (b)"', 'now()', 'count(*)', "'it''s'", '(SELECT 1)');
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a} + ${b}`),
      fc.tuple(tie('expression'), fc.constantFrom(...GAPS)).map(([a, gap]) => `lower${gap}(${a})`),
      tie('expression').map((a) => `CASE WHEN (${a}) THEN 1 END`),
      tie('expression').map((a) => `CAST(${a} AS numeric(9, 2))`),
      tie('expression').map((a) => `(SELECT ${a} FROM t AS u(a) WHERE a IN (${a}))`),
      tie('expression').map((a) => `(WITH c(n) AS (SELECT ${a}) SELECT n FROM c)`),
      tie('expression').map((a) => `sum(1) FILTER (WHERE ${a}) OVER (PARTITION BY ${a})`),
    ),
  }));
  const call = fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...GAPS), expression)
    .map(([name, gap, inner]) => `${name}${gap}(${inner})`);
  fc.assert(
    fc.property(expression, call, fc.nat(), (inside, evil, place) => {
      const query = `SELECT ${inside} FROM t`;
      assert.equal(queryProblem('postgres', query), null, query);
      // Every position of a value, outside of texts, names and comments.
      const places = [...query.matchAll(/'(?:[^']|'')*'|"[^"]*"|\/\*.*?\*\/|--.*\n|\b1\b/g)].filter(
        ([found]) => found === '1',
      );
      const at = places[place % Math.max(1, places.length)]?.index;
      const attacked =
        at === undefined ? `SELECT ${evil}, 1` : query.slice(0, at) + evil + query.slice(at + 1);
      assert.notEqual(queryProblem('postgres', attacked), null, attacked);
    }),
  );
});
