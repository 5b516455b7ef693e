/** Numbers as the text of a PostgreSQL array: a single parameter for any number of them. */
export const pgArray = (numbers: Iterable<number | string>): string => `{${[...numbers].join(',')}}`;
