import { createContext, useContext } from 'react';
import type { Monitor } from '#src/monitors/contract.ts';

/** The monitor that the form changes; null while it makes a new one. */
export const EditedMonitor = createContext<Monitor | null>(null);

export const useEditedMonitor = (): Monitor | null => useContext(EditedMonitor);
