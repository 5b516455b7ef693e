// Keeps a screen awake: browsers release the lock when the page is hidden or the battery is low, and grant it only to a visible page.

export type Lock = {
  readonly released: boolean;
  release: () => Promise<void>;
  addEventListener: (type: 'release', listener: () => void) => void;
};

type Screen = {
  isVisible: () => boolean;
  request: () => Promise<Lock>;
  /** Whether the screen stays awake. */
  say: (isAwake: boolean) => void;
};

/** `look` is called when the page was hidden or shown; `end` lets the screen sleep. */
export function keepAwake({ isVisible, request, say }: Screen): { look: () => void; end: () => void } {
  let lock: Lock | null = null;
  let isAsking = false;
  let isAskedAgain = false;
  let isOver = false;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      const given = await request();
      lock = given;
      if (isOver) return void given.release();
      given.addEventListener('release', look);
      say(true);
    } catch {
      if (!isOver) say(false);
    } finally {
      isAsking = false;
    }
    // The page may have been hidden and shown again meanwhile.
    if (isAskedAgain) look();
  }

  function look(): void {
    isAskedAgain = isAsking;
    if (isOver || isAsking || !isVisible() || (lock !== null && !lock.released)) return;
    void ask();
  }

  return {
    look,
    end() {
      isOver = true;
      void lock?.release();
    },
  };
}
