// What one look of the doctor found: how it stands, and what to do where it does not stand well.

export type Finding = {
  state: 'ok' | 'warn' | 'fail';
  /** What was looked at: database, disk, … */
  subject: string;
  said: string;
  /** What to do; with warn and fail. */
  todo?: string;
};

/** One line, and what to do below it. */
export function lineOf({ state, subject, said, todo }: Finding): string {
  const head = `${state.toUpperCase().padEnd(5)} ${subject.padEnd(10)} ${said}\n`;
  return todo ? `${head}${' '.repeat(17)}${todo}\n` : head;
}
