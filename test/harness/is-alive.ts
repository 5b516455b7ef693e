/** Whether a process has that id; one that was killed keeps it until its parent has collected its exit code. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
