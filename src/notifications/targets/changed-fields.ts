// Which fields of a target a write would change, without writing.
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '#src/platform/contract.ts';
import { SecretUnreadable, type Vault } from '#src/platform/secrets.ts';
import { checkedTags } from '#src/platform/tags.ts';
import type { createWebhook } from '../contract.ts';
import { isChat, secretContext } from '../delivery/send.ts';
import { checkedEvents, checkedKind, endpointOf } from './checked-target.ts';
import type { TargetRow } from './show-target.ts';
import type { TargetOptions } from './targets.ts';

/**
 * The names of the fields that `updateTarget` would change; addresses of chats and keys are compared in clear. Refuses as
 * `updateTarget` does.
 */
export function changedFields(
  stored: TargetRow,
  body: Omit<BodyOf<typeof createWebhook>, 'kind' | 'name'>,
  options: TargetOptions,
): string[] {
  const kind = checkedKind(stored.kind);
  const { url, region, credential } = endpointOf(kind, body, stored, options);
  const secret = opened(stored, options.vault);
  const changes = {
    // Its masked form stands for the stored address.
    url: body.url != null && body.url !== stored.url && url !== (isChat(kind) ? secret : stored.url),
    region: region !== stored.region,
    credential: credential !== null && credential !== secret,
    events: !isSameSet(checkedEvents(body.events), stored.events),
    active: (body.active ?? stored.active) !== stored.active,
    project_ids: body.project_ids !== undefined && !isSameSet(body.project_ids, stored.project_ids),
    tags: body.tags !== undefined && !isSameSet(checkedTags(body.tags), stored.tags),
    min_severity: (body.min_severity ?? stored.min_severity) !== stored.min_severity,
  };
  return Object.entries(changes).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
}

/** The address of a chat, or the key of a paging target; null where none is stored or no key opens it. */
function opened({ id, secret_sealed: sealed }: TargetRow, vault: Vault): string | null {
  if (sealed === null) return null;
  try {
    return vault.open(sealed, secretContext(id));
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

const isSameSet = (left: readonly string[], right: readonly string[]) =>
  isDeepStrictEqual([...new Set(left)].sort(), [...new Set(right)].sort());
