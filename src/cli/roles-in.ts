// Reads --roles (docs/rules/command-line.md#roles-of-servers).
import { SERVER_ROLES, type ServerRole } from '#src/domain/names.ts';
import { InvalidCommandLine } from './invalid-command-line.ts';

const KNOWN = SERVER_ROLES.join(', ');

/** The roles of a list, in the order of SERVER_ROLES. Throws InvalidCommandLine for unknown names, gaps and names given twice. */
export function rolesIn(list: string): ServerRole[] {
  const given = list.split(',').map((name) => name.trim());
  if (given.includes('')) throw new InvalidCommandLine(`--roles ${list} lacks a name; it takes ${KNOWN}`);
  const unknown = given.find((name) => !SERVER_ROLES.some((role) => role === name));
  if (unknown !== undefined)
    throw new InvalidCommandLine(`there is no role ${unknown}; the roles are ${KNOWN}`);
  const twice = given.find((name, at) => given.indexOf(name) < at);
  if (twice !== undefined) throw new InvalidCommandLine(`--roles ${list} gives ${twice} twice`);
  return SERVER_ROLES.filter((role) => given.includes(role));
}
