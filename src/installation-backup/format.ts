// The format of a backup file: a gzip'd tar of a header, the secret key where it is included, every table as PostgreSQL's
// COPY text in parts, and checksums as its last entry, so that a file that was cut off is recognized. Encrypted it is
// an age file around that.
import { type Static, Type } from 'typebox';

/** Raised when an older Tocsin could not read what this one writes. */
export const FORMAT = 1;

export const HEADER_ENTRY = 'tocsin-backup.json';
export const KEY_ENTRY = 'secret-key';
export const CHECKSUMS_ENTRY = 'checksums.json';
/** A tar entry says its size first: a table of unknown length goes into parts of about this size. */
export const PART_BYTES = 4 * 1024 * 1024;

const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });

export const Header = Type.Object({
  format: Type.Integer(),
  tocsin_version: Type.String(),
  made_at: Type.String(),
  /** Recognizes the SECRET_KEY that the stored secrets are sealed under, without telling it. */
  secret_key_fingerprint: Type.String(),
  migrations: Type.Array(
    Type.Object({ version: Type.Integer(), name: Type.String(), checksum: Type.String() }),
  ),
  /** In the order in which they can be loaded: what is referred to comes first. */
  tables: Type.Array(
    Type.Object({
      name: Name,
      columns: Type.Array(Name),
      /** Of a partitioned table: the suffixes (YYYYMM or YYYYMMDD) of its partitions; else null. */
      partitions: Type.Union([Type.Array(Type.String({ pattern: '^[0-9]{6}([0-9]{2})?$' })), Type.Null()]),
    }),
  ),
  sequences: Type.Array(Type.Object({ name: Name, last_value: Type.Integer() })),
});
export type Header = Static<typeof Header>;

export const Checksums = Type.Object({
  tables: Type.Record(Type.String(), Type.Object({ rows: Type.Integer(), sha256: Type.String() })),
});
export type Checksums = Static<typeof Checksums>;

export const partEntry = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`;

/** Summary of a backup, printed when it has been made or restored. */
export type Summary = { tables: number; rows: number };
