// Every operation of the interface that this version has, in the order of the documentation.
import * as accounts from './accounts/contract.ts';
import * as activity from './activity/contract.ts';
import * as agents from './agents/contract.ts';
import * as agentProtocol from './agents/protocol-contract.ts';
import * as alarmPolicy from './alarm-policy/contract.ts';
import * as apiKeys from './api-keys/contract.ts';
import * as charts from './charts/contract.ts';
import * as checkNow from './check-now/contract.ts';
import * as proposals from './check-now/propose/contract.ts';
import * as checks from './checks/contract.ts';
import * as configurationApply from './configuration-apply/contract.ts';
import * as configurationImport from './configuration-import/contract.ts';
import * as events from './events/contract.ts';
import * as examples from './examples/contract.ts';
import * as firstSteps from './first-steps/contract.ts';
import * as heartbeats from './heartbeats/contract.ts';
import * as command from './incidents/actions-contract.ts';
import * as incidents from './incidents/contract.ts';
import * as maintenance from './maintenance/contract.ts';
import * as members from './members/contract.ts';
import * as allMonitors from './monitors/all/contract.ts';
import * as clone from './monitors/clone/contract.ts';
import * as monitors from './monitors/contract.ts';
import * as manyMonitors from './monitors/many/contract.ts';
import * as monitorViews from './monitors/views/contract.ts';
import * as webhooks from './notifications/contract.ts';
import * as alarmPlan from './on-call/alarm-plan-contract.ts';
import * as calendar from './on-call/calendar-contract.ts';
import * as onCall from './on-call/contract.ts';
import * as drills from './on-call/drills/contract.ts';
import * as overrides from './on-call/overrides-contract.ts';
import * as operator from './operator/contract.ts';
import * as doctor from './operator/doctor-contract.ts';
import * as organizationExport from './organization-export/contract.ts';
import * as organizations from './organizations/contract.ts';
import * as overview from './overview/contract.ts';
import * as plans from './plans/contract.ts';
import type { Operation } from './platform/contract.ts';
import * as policyReplay from './policy-replay/contract.ts';
import * as probe from './probe-protocol/contract.ts';
import * as projects from './projects/contract.ts';
import * as regions from './regions/contract.ts';
import * as reports from './reports/contract.ts';
import * as mailedReports from './reports/mailed/contract.ts';
import * as selfMonitoring from './self-monitoring/contract.ts';
import * as series from './series/contract.ts';
import * as pageAccess from './status-pages/access-contract.ts';
import * as statusPages from './status-pages/contract.ts';
import * as domains from './status-pages/domains/contract.ts';
import * as logos from './status-pages/logo-contract.ts';
import * as publicPages from './status-pages/public/contract.ts';
import * as subscriptions from './status-pages/subscriptions/contract.ts';
import * as notices from './user-notifications/contract.ts';
import * as walls from './walls/contract.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'right' in value;

export const OPERATIONS: readonly Operation[] = [
  accounts,
  organizations,
  organizationExport,
  configurationImport,
  configurationApply,
  plans,
  members,
  apiKeys,
  activity,
  projects,
  monitors,
  manyMonitors,
  allMonitors,
  monitorViews,
  clone,
  alarmPolicy,
  checks,
  series,
  charts,
  reports,
  overview,
  walls,
  mailedReports,
  checkNow,
  proposals,
  policyReplay,
  heartbeats,
  incidents,
  examples,
  firstSteps,
  command,
  maintenance,
  onCall,
  alarmPlan,
  overrides,
  calendar,
  drills,
  webhooks,
  notices,
  statusPages,
  domains,
  pageAccess,
  logos,
  subscriptions,
  publicPages,
  regions,
  events,
  operator,
  doctor,
  selfMonitoring,
  agents,
  probe,
  agentProtocol,
].flatMap((contract) => Object.values(contract).filter(isOperation));
