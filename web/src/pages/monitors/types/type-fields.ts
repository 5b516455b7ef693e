import type { ComponentType } from 'react';

/** The fields of one type: what is always open, and the contents of its folds by their ids. */
export type TypeFields = { Open: ComponentType; folds: Readonly<Record<string, ComponentType>> };
