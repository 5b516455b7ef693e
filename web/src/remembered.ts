// Small choices that outlive a visit (last organization and project, language, range): kept in the browser only.

/** Reads a remembered choice; null when there is none or storage is blocked. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`tocsin-${name}`);
  } catch {
    return null;
  }
}

/** Remembers a choice; silently forgets it when storage is blocked, since nothing depends on it. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`tocsin-${name}`, value);
  } catch {
    // Private windows may forbid storage.
  }
}
