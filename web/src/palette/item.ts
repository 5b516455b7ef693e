import type { ReactNode } from 'react';

/** In the order they are listed. */
export const GROUPS = ['subject', 'pages', 'monitors', 'incidents', 'others', 'actions'] as const;
export type Group = (typeof GROUPS)[number];

/** One line of the palette. */
export type Item = {
  /** Unique among all lines. */
  key: string;
  group: Group;
  label: string;
  /** What is said beside it: of what kind it is, since when. */
  detail?: string;
  /** What it is found by beside its label. */
  words?: readonly string[];
  icon: ReactNode;
  /** Keys that do the same. */
  keys?: readonly string[];
  run: () => unknown;
};
