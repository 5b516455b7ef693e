import { getMonitor, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { send } from '#web/write.ts';

/** Pauses a monitor, or resumes one that is paused. Throws ApiError. */
export function turnMonitor({ id, enabled }: Pick<Monitor, 'id' | 'enabled'>): Promise<Monitor> {
  const params = { monitor_id: id };
  return send(updateMonitor, { params, body: { enabled: !enabled } }, (saved) =>
    queryClient.setQueryData(read(getMonitor, { params }).queryKey, saved),
  );
}
