import { useRef } from 'react';

/**
 * Keeps a dialog open while it makes what is shown only once: whoever closed it meanwhile would never see that. `close` does nothing
 * while `hold` waits for its work.
 */
export function useHeldOpen(onClose: () => void) {
  const held = useRef(false);
  return {
    close() {
      if (!held.current) onClose();
    },
    async hold<T>(work: () => Promise<T>): Promise<T> {
      held.current = true;
      try {
        return await work();
      } finally {
        held.current = false;
      }
    },
  };
}
