// Runs before the first paint, so that a dark dashboard never flashes white; a file because inline scripts are forbidden.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('tocsin-color-scheme') || 'auto';
  } catch {
    // Storage may be blocked; the system's preference still holds.
  }
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
