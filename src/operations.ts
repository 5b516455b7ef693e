// Every operation of the interface that this version has, in the order of the documentation.
import * as accounts from './accounts/contract.ts';
import * as activity from './activity/contract.ts';
import * as alarmPolicy from './alarm-policy/contract.ts';
import * as apiKeys from './api-keys/contract.ts';
import * as checks from './checks/contract.ts';
import * as heartbeats from './checks/heartbeats/contract.ts';
import * as probe from './checks/probe-contract.ts';
import * as events from './events/contract.ts';
import * as command from './incidents/command-contract.ts';
import * as incidents from './incidents/contract.ts';
import * as maintenance from './maintenance/contract.ts';
import * as monitors from './monitors/contract.ts';
import * as notices from './notices/contract.ts';
import * as onCall from './on-call/contract.ts';
import * as administration from './organizations/admin-contract.ts';
import * as organizations from './organizations/contract.ts';
import * as members from './organizations/member-contract.ts';
import type { Operation } from './platform/contract.ts';
import * as projects from './projects/contract.ts';
import * as regions from './regions/contract.ts';
import * as statusPages from './status-pages/contract.ts';
import * as webhooks from './webhooks/contract.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'right' in value;

export const OPERATIONS: readonly Operation[] = [
  accounts,
  organizations,
  members,
  apiKeys,
  activity,
  projects,
  monitors,
  alarmPolicy,
  checks,
  heartbeats,
  incidents,
  command,
  maintenance,
  onCall,
  webhooks,
  notices,
  statusPages,
  regions,
  events,
  administration,
  probe,
].flatMap((contract) => Object.values(contract).filter(isOperation));
