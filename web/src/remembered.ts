// Small choices that outlive a visit (last organization and project, language, range), stored only in the browser.

/** Reads a stored choice; null if there is none, or if storage is blocked. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`tocsin-${name}`);
  } catch {
    return null;
  }
}

/** Stores a choice; does nothing if storage is blocked, since nothing depends on it. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`tocsin-${name}`, value);
  } catch {
    // Private windows may forbid storage.
  }
}
