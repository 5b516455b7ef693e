import { randomInt } from 'node:crypto';

/** Without those that look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that nobody guesses (99 bits) and that can be read out on the telephone: `k3fwm-9xqtz-…`. */
export function readablePassword(): string {
  const character = () => CHARACTERS[randomInt(CHARACTERS.length)] ?? '';
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
