// Every operation of the interface that this version has, in the order of the documentation.
import * as accounts from './accounts/contract.ts';
import * as checks from './checks/contract.ts';
import * as probe from './checks/probe-contract.ts';
import * as events from './events/contract.ts';
import * as incidents from './incidents/contract.ts';
import * as monitors from './monitors/contract.ts';
import * as organizations from './organizations/contract.ts';
import type { Operation } from './platform/contract.ts';
import * as projects from './projects/contract.ts';
import * as regions from './regions/contract.ts';
import * as webhooks from './webhooks/contract.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'right' in value;

export const OPERATIONS: readonly Operation[] = [
  accounts,
  organizations,
  projects,
  monitors,
  checks,
  incidents,
  webhooks,
  regions,
  events,
  probe,
].flatMap((contract) => Object.values(contract).filter(isOperation));
