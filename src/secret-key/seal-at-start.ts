// Seals, once, what an earlier version stored in clear: tokens of heartbeats, and addresses of chats.

import type { ChannelName } from '../domain/names.ts';
import { heartbeatContext } from '../monitors/heartbeats.ts';
import { CHAT_KINDS, storedAddress } from '../notifications/targets/targets.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';

/** Leaves no token of a heartbeat and no address of a chat in clear. `onSealed` is called after each. */
export async function sealWhatIsClear({ tx }: Work, vault: Vault, onSealed = () => {}): Promise<void> {
  const heartbeats = await tx
    .selectFrom('heartbeats')
    .select(['monitor_no', 'token_clear', 'token_hash'])
    .where('token_clear', 'is not', null)
    .forUpdate()
    .execute();
  for (const { monitor_no, token_clear, token_hash } of heartbeats) {
    const token_sealed = vault.seal(token_clear ?? '', heartbeatContext(token_hash));
    await tx
      .updateTable('heartbeats')
      .set({ token_sealed, token_clear: null })
      .where('monitor_no', '=', monitor_no)
      .execute();
    onSealed();
  }
  const targets = await tx
    .selectFrom('webhook_targets')
    .select(['id', 'kind', 'url'])
    .where('kind', 'in', CHAT_KINDS)
    .where('secret_sealed', 'is', null)
    .forUpdate()
    .execute();
  for (const { id, kind, url } of targets) {
    await tx
      .updateTable('webhook_targets')
      .set(storedAddress(kind as ChannelName, id, url, null, { vault }))
      .where('id', '=', id)
      .execute();
    onSealed();
  }
}
