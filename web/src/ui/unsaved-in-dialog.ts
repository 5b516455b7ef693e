// How a form tells the dialog around it that something in it is not saved.
import { createContext } from 'react';

export const UnsavedInDialog = createContext<((isDirty: boolean) => void) | null>(null);
