/** The latest of these times; those that have not come are left out. */
export const latest = (times: readonly (Date | null | undefined)[]): Date =>
  new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
