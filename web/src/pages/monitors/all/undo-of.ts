// The undo of a bulk change: only for the monitors that it changed, and only if nothing is lost by it. Pure.
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { type Change, tagsOf } from './shown-as.ts';

type Before = Pick<ListedMonitor, 'id' | 'name' | 'enabled' | 'tags'>;
export type Step = { monitors: Before[]; change: Change };

const OPPOSITE = {
  pause: 'resume',
  resume: 'pause',
  add_tags: 'remove_tags',
  remove_tags: 'add_tags',
} as const;

/** The steps that undo `change` for these monitors, given their state before it; none if it cannot be undone. */
export function undoOf(monitors: readonly Before[], change: Change): Step[] {
  const { action } = change;
  if (action === 'pause' || action === 'resume') {
    const changed = monitors.filter(({ enabled }) => enabled === (action === 'pause'));
    return changed.length === 0 ? [] : [{ monitors: changed, change: { action: OPPOSITE[action] } }];
  }
  if (action !== 'add_tags' && action !== 'remove_tags') return [];
  return tagsOf(change).flatMap((tag) => {
    const changed = monitors.filter((each) => each.tags.includes(tag) === (action === 'remove_tags'));
    return changed.length === 0
      ? []
      : [{ monitors: changed, change: { action: OPPOSITE[action], tags: [tag] } }];
  });
}
