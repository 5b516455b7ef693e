// What a change of many monitors will have made of one, as far as it can be known beforehand. Pure.
import type { ManyMonitors } from '#src/monitors/all/contract.ts';
import type { Shown } from '../show-at-once.ts';

/** What is done to many, without to which. */
export type Change = Omit<ManyMonitors, 'monitor_ids'>;

/** What of a monitor is other than before; nothing where only the server knows. */
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

/** Tags are kept in lower case. */
export const tagsOf = ({ tags = [] }: Pick<Change, 'tags'>): string[] => [
  ...new Set(tags.map((tag) => tag.trim().toLowerCase())),
];
