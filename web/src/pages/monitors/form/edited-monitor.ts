import { createContext, useContext } from 'react';
import type { Monitor } from '#src/monitors/contract.ts';

/** The edited monitor; null for a new one. */
export const EditedMonitor = createContext<Monitor | null>(null);

export const useEditedMonitor = (): Monitor | null => useContext(EditedMonitor);
