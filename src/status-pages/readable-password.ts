import { randomInt } from 'node:crypto';

/** Without characters that look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A password that nobody can guess (99 bits) and that people can read out on the telephone: `k3fwm-9xqtz-…`. */
export function readablePassword(): string {
  const character = () => CHARACTERS[randomInt(CHARACTERS.length)] ?? '';
  const group = () => Array.from({ length: GROUP_LENGTH }, character).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
