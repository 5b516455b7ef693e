// Ordering a list by dragging its rows: the order follows the pointer, and Escape brings back the one of before.
import { type DragEvent as Dragging, useEffect, useRef, useState } from 'react';

export type DragOrder = {
  /** The id of what is being dragged; null: nothing. */
  dragged: string | null;
  /** Begins to drag a row. */
  start: (event: Dragging<HTMLElement>, id: string, label: string) => void;
  end: (event: Dragging<HTMLElement>) => void;
};

/** `restore` gets the list as it was when its row `id` was taken up, if the reader gives up. */
export function useDragOrder<List>(list: List, restore: (id: string, before: List) => void): DragOrder {
  const [dragged, setDragged] = useState<string | null>(null);
  const before = useRef<List>(list);

  // Everywhere on the page is a place to let go, so a drag that ends at no place was given up.
  useEffect(() => {
    if (dragged === null) return;
    const accept = (event: DragEvent) => event.preventDefault();
    document.addEventListener('dragover', accept);
    document.addEventListener('drop', accept);
    return () => {
      document.removeEventListener('dragover', accept);
      document.removeEventListener('drop', accept);
    };
  }, [dragged]);

  return {
    dragged,
    start({ dataTransfer }, id, label) {
      dataTransfer.effectAllowed = 'move';
      // Firefox only drags elements that carry data.
      dataTransfer.setData('text/plain', label);
      before.current = list;
      setDragged(id);
    },
    end({ dataTransfer }) {
      if (dragged !== null && dataTransfer.dropEffect === 'none') restore(dragged, before.current);
      setDragged(null);
    },
  };
}
