// Rows of tables that people open in a spreadsheet (RFC 4180). Escapes cells that would be formulas there.
import { stringify } from 'csv-stringify/sync';

/** Dates as ISO 8601 in UTC; null is empty. */
export const csvLine = (cells: readonly unknown[]): string =>
  stringify([cells.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))], {
    escape_formulas: true,
    record_delimiter: '\r\n',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  });
