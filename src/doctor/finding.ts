// One finding of the doctor: a state, and a remedy if the state is not ok.

export type Finding = {
  state: 'ok' | 'warn' | 'fail';
  /** The thing examined: database, disk, … */
  subject: string;
  said: string;
  /** The remedy; with warn and fail. */
  todo?: string;
};

/** One line, and what to do below it. */
export function lineOf({ state, subject, said, todo }: Finding): string {
  const head = `${state.toUpperCase().padEnd(5)} ${subject.padEnd(10)} ${said}\n`;
  return todo ? `${head}${' '.repeat(17)}${todo}\n` : head;
}
