import { Refusal } from '../platform/refusals.ts';
import { BrokenLine } from './read-lines.ts';

/** Holds a line to a rule of the interface: what the interface would refuse is a broken line. */
export function refusedAt<T>(line: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) throw new BrokenLine(line, error.message);
    throw error;
  }
}
