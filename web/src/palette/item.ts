import type { ReactNode } from 'react';

/** In the order of the list. */
export const GROUPS = ['subject', 'pages', 'monitors', 'incidents', 'others', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

/** One line of the palette. */
export type Item = {
  /** Unique among all lines. */
  key: string;
  group: Group;
  label: string;
  /** A note beside it: its kind, or since when. */
  detail?: string;
  /** Further words that find it. */
  words?: readonly string[];
  icon: ReactNode;
  /** The shortcut that does the same. */
  keys?: readonly string[];
  run: () => unknown;
};
