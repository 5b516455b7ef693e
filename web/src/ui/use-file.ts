// Fetches a file from the server and hands it to the browser to be saved.
import { useState } from 'react';

/** `get` fetches it. `busy` while it does; `error` where it was refused. */
export function useFile() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function save(get: () => Promise<Blob>, name: string): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      saveAs(await get(), name);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, save };
}

export function saveAs(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it by then; a page that is closed takes it along.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
