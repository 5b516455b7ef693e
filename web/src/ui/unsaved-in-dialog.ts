// Lets a form report unsaved changes to its dialog.
import { createContext } from 'react';

export const UnsavedInDialog = createContext<((isDirty: boolean) => void) | null>(null);
