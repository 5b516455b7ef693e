// Marks people with a colour and initials, always beside their name.
import type { Roster } from '#src/on-call/contract.ts';
import styles from './people.module.css';

const COLOURS = 6;

/** The colour of a place in the roster. */
export const colourAt = (at: number): string => `var(--series-${(at % COLOURS) + 1})`;

/** The colour of a person, by their place in the roster. */
export function colourOf(roster: Roster, userId: string | null): string {
  const at = roster.members.findIndex((member) => member.user_id === userId);
  return at < 0 ? 'var(--ink-3)' : colourAt(at);
}

/** The initials of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const initials = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return initials.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}

type Props = { name: string; colour: string; size?: number };

/** A person as a coloured disc. */
export function Disc({ name, colour, size = 26 }: Props) {
  return (
    <span
      className={styles.disc}
      style={{ background: colour, width: size, height: size, fontSize: size * 0.4 }}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  );
}
