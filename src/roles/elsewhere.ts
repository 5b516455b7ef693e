// The response to a path of a role that this server does not have.
import { SERVER_ROLES, type ServerRole } from '../domain/names.ts';

/** Addresses that belong to a role; all others are those of the role "api". */
const ADDRESSES: readonly [role: ServerRole, below: RegExp][] = [
  ['ingest', /^\/(?:probe|agent|heartbeat|example)\//],
  ['pages', /^\/(?:status|public|subscriptions)\//],
];

/** Sentences for what servers with these roles lack (docs/rules/command-line.md#roles-of-servers); null: they lack nothing of it. */
export function servedElsewhere(roles: readonly ServerRole[]): (path: string) => string | null {
  if (SERVER_ROLES.every((role) => roles.includes(role))) return () => null;
  const own = `This server was started with --roles ${roles.join()}`;
  return (path) => {
    const role = ADDRESSES.find(([, below]) => below.test(path))?.[0] ?? 'api';
    return roles.includes(role) ? null : `${own}; ask one that has the role ${role}.`;
  };
}
