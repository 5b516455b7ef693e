// Describes the migrated schema as the types of src/platform/db/tables.ts (`npm run generate:tables`).
import type pg from 'pg';

type Column = {
  table_name: string;
  column_name: string;
  type: string;
  nullable: boolean;
  has_default: boolean;
  always_generated: boolean;
};

const NUMBERS = ['int2', 'int4', 'int8', 'float4', 'float8', 'oid'];
const TEXTS = [
  'text',
  'varbit',
  'varchar',
  'bpchar',
  'citext',
  'uuid',
  'numeric',
  'inet',
  'cidr',
  'date',
  'time',
  'name',
  'tstzmultirange',
];

/** The text of tables.ts for a migrated database: one interface per table, columns as the pool's parsers return them. */
export async function describeTables(client: pg.Pool | pg.Client): Promise<string> {
  const { rows } = await client.query<Column>(`
    SELECT c.relname AS table_name, a.attname AS column_name, t.typname AS type, NOT a.attnotnull AS nullable,
      a.atthasdef OR a.attidentity <> '' AS has_default,
      a.attidentity = 'a' OR a.attgenerated <> '' AS always_generated
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
    ORDER BY c.relname, a.attnum`);
  const tables = Map.groupBy(rows, (row) => row.table_name);
  const interfaces = [...tables].map(
    ([table, columns]) =>
      `export interface ${pascal(table)} {\n${columns.map((c) => `  ${c.column_name}: ${typeOf(c)};\n`).join('')}}\n`,
  );
  const list = [...tables.keys()].map((table) => `  ${table}: ${pascal(table)};\n`).join('');
  return [
    '// Generated from the migrated schema by `npm run generate:tables`; do not edit. A test fails when it is stale.',
    "import type { ColumnType } from 'kysely';\n",
    'type Instant = ColumnType<Date, Date | string, Date | string>;',
    '// Written as JSON text: pg would turn a JavaScript array into a PostgreSQL array.',
    'type Json = ColumnType<unknown, string, string>;',
    'type Defaulted<T> =',
    '  [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;',
    'type Nullable<T> =',
    '  [T] extends [ColumnType<infer S, infer I, infer U>]',
    '    ? ColumnType<S | null, I | null | undefined, U | null>',
    '    : ColumnType<T | null, T | null | undefined, T | null>;',
    'type ReadOnly<T> = [T] extends [ColumnType<infer S, infer _I, infer _U>] ? ColumnType<S, never, never> : ColumnType<T, never, never>;\n',
    interfaces.join('\n'),
    `export interface DB {\n${list}}\n`,
  ].join('\n');
}

function typeOf(column: Column): string {
  const base = baseType(column);
  if (column.always_generated) return `ReadOnly<${base}>`;
  if (column.nullable) return `Nullable<${base}>`;
  return column.has_default ? `Defaulted<${base}>` : base;
}

function baseType({ type, table_name, column_name }: Column): string {
  // The pool's own parsers are for single values: an array of these would arrive as another type.
  const plainArray = type.startsWith('_') && !['_int8', '_date', '_jsonb'].includes(type);
  if (plainArray) return `${baseType({ type: type.slice(1), table_name, column_name } as Column)}[]`;
  if (NUMBERS.includes(type)) return 'number';
  if (TEXTS.includes(type)) return 'string';
  if (type === 'bool') return 'boolean';
  if (type === 'timestamptz') return 'Instant';
  if (type === 'json' || type === 'jsonb') return 'Json';
  if (type === 'bytea') return 'Buffer';
  throw new Error(
    `${table_name}.${column_name} is of type ${type}: say in test/harness/describe-tables.ts what it is in TypeScript`,
  );
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}
