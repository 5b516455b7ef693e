// How a form tells its dialog about unsaved changes.
import { createContext } from 'react';

export const UnsavedInDialog = createContext<((isDirty: boolean) => void) | null>(null);
