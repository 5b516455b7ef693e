// The optimistic result of a bulk change for one monitor. Pure.
import type { ManyMonitors } from '#src/monitors/all/contract.ts';
import type { Shown } from '../show-optimistically.ts';

/** A bulk change without its monitors. */
export type Change = Omit<ManyMonitors, 'monitor_ids'>;

/** The fields that change; empty if only the server knows. */
export function shownAs({ tags }: Pick<Shown, 'tags'>, change: Change): Partial<Omit<Shown, 'id'>> {
  const named = tagsOf(change);
  switch (change.action) {
    case 'pause':
      return { enabled: false };
    case 'resume':
      return { enabled: true };
    case 'add_tags':
      return { tags: [...new Set([...tags, ...named])] };
    case 'remove_tags':
      return { tags: tags.filter((tag) => !named.includes(tag)) };
    default:
      return {};
  }
}

/** Tags are stored in lower case. */
export const tagsOf = ({ tags = [] }: Pick<Change, 'tags'>): string[] => [
  ...new Set(tags.map((tag) => tag.trim().toLowerCase())),
];
