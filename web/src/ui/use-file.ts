// Downloads a file from the server.
import { useState } from 'react';

/**
 * `get` fetches it. `busy` during that, with `bytes` received if `get` reports them; then `saved` is the file's name, or
 * `error` the refusal.
 */
export function useFile() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [bytes, setBytes] = useState(0);
  const [saved, setSaved] = useState<string | null>(null);
  async function save(get: (onBytes: (bytes: number) => void) => Promise<Blob>, name: string): Promise<void> {
    setBusy(true);
    setError(null);
    setBytes(0);
    setSaved(null);
    try {
      saveAs(await get(setBytes), name);
      setSaved(name);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  }
  return { busy, bytes, error, saved, save };
}

export function saveAs(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it by then; a closed page frees it anyway.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
