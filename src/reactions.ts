// The upward effects, in one table: what a lower slice announces, and who reacts (architecture, section 1).
import { confirmInTime, restartAfterClosing } from './checks/confirm-later.ts';
import { purgeLater } from './checks/purge.ts';
import { recordDelivery } from './incidents/record-delivery.ts';
import { closedByHand } from './incidents/resolve.ts';
import { monitorDeleted } from './monitors/delete.ts';
import { policyChanged } from './monitors/update.ts';
import { deliveryEnded } from './webhooks/deliver.ts';

policyChanged.react((work, { monitorNo }) => confirmInTime(work, monitorNo));
closedByHand.react((work, { monitorNo }) => restartAfterClosing(work, monitorNo));
monitorDeleted.react((work, { monitorNo }) => purgeLater(work, monitorNo));
deliveryEnded.react(recordDelivery);
