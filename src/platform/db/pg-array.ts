/** Numbers or booleans as the text of a PostgreSQL array: one parameter, however many there are. */
export const pgArray = (numbers: readonly (number | string | boolean)[]): string => `{${numbers.join(',')}}`;
