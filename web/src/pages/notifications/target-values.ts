// The form values of a target, and its request body.

import type { ChannelName } from '#src/domain/names.ts';
import { maskedAddress, secretHint } from '#src/domain/secret-hint.ts';
import type { createWebhook, updateWebhook, WebhookTarget } from '#src/notifications/contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { changedOf } from '#web/meanwhile/clashes.ts';
import { familyOf, usualEvents } from './kinds.ts';
import type { Routing } from './routing-words.ts';

export type TargetValues = {
  name: string;
  url: string;
  /** A provider key, write-only: empty keeps the stored one. */
  credential: string;
  region: 'global' | 'eu';
  events: string[];
} & Routing;

/** The values of a new target. */
export const newTarget = (kind: ChannelName): TargetValues => ({
  name: '',
  url: '',
  credential: '',
  region: 'global',
  events: usualEvents(kind),
  project_ids: [],
  tags: [],
  min_severity: 'degraded',
});

/** The form values of an existing target. */
export const valuesOfTarget = (target: WebhookTarget): TargetValues => ({
  name: target.name,
  url: target.url,
  credential: '',
  region: target.region === 'eu' ? 'eu' : 'global',
  events: target.events,
  project_ids: target.project_ids,
  tags: target.tags,
  min_severity: target.min_severity,
});

/** The request body that creates a target: a URL, or a key and a region. */
export function creationOf(kind: ChannelName, values: TargetValues): BodyOf<typeof createWebhook> {
  const { url, credential, region, ...shared } = values;
  return familyOf(kind) === 'paging' ? { ...shared, kind, credential, region } : { ...shared, kind, url };
}

/**
 * The values as the server would show them: of a key, and of the address of a chat, only a hint. So they are compared with those that
 * somebody else has saved. `keyHint`: of the stored key, which an empty one keeps.
 */
export const shownValues = (kind: ChannelName, values: TargetValues, keyHint: string): TargetValues => ({
  ...values,
  url: familyOf(kind) === 'chat' ? maskedAddress(values.url) : values.url,
  credential: values.credential === '' ? keyHint : secretHint(values.credential),
});

/** The request body that changes a target; `before` is as the server showed it. An empty key and an untouched URL stay as they are. */
export function changesOf(
  kind: ChannelName,
  before: TargetValues,
  values: TargetValues,
): BodyOf<typeof updateWebhook> {
  const credential = values.credential === '' ? before.credential : values.credential;
  return changedOf(creationOf(kind, before), creationOf(kind, { ...values, credential }));
}
