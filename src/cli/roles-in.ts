// Reads --roles (docs/rules/command-line.md#roles-of-servers).
import { SERVER_ROLES, type ServerRole } from '#src/domain/names.ts';
import { WrongWords } from './wrong-words.ts';

const KNOWN = SERVER_ROLES.join(', ');

/** The roles of a list, in the order of SERVER_ROLES. Throws WrongWords for unknown names, gaps and names given twice. */
export function rolesIn(list: string): ServerRole[] {
  const given = list.split(',').map((name) => name.trim());
  if (given.includes('')) throw new WrongWords(`--roles ${list} lacks a name; it takes ${KNOWN}`);
  const unknown = given.find((name) => !SERVER_ROLES.some((role) => role === name));
  if (unknown !== undefined) throw new WrongWords(`there is no role ${unknown}; the roles are ${KNOWN}`);
  const twice = given.find((name, at) => given.indexOf(name) < at);
  if (twice !== undefined) throw new WrongWords(`--roles ${list} gives ${twice} twice`);
  return SERVER_ROLES.filter((role) => given.includes(role));
}
