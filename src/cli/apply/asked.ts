// What `tocsin apply` is asked for, and what became of it: on this machine, or at a server elsewhere.
import type { AppliedThing } from '#src/configuration-apply/contract.ts';
import type { NamedOrganization } from '../find-organization.ts';
import { InvalidCommandLine } from '../invalid-command-line.ts';

export type Asked = { organization: string | undefined; dryRun: boolean; prune: boolean };
export type Applied = { place: NamedOrganization; things: readonly AppliedThing[] };

export const differentOrganizations = (option: NamedOrganization, inFile: NamedOrganization) =>
  new InvalidCommandLine(`--organization is ${option.slug}, and the file is for ${inFile.slug}`);
