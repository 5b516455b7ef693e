// Runs before the first paint, so that a dark dashboard never flashes white; a file because inline scripts are forbidden.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('tocsin-color-scheme') || 'auto';
  } catch {
    // Storage may be blocked; the system's preference still holds.
  }
  // A wall display is dark by default, whatever this browser's dashboard is (pages/wall/colour-scheme.ts).
  if (/^\/app\/wall\/?$/.test(location.pathname))
    chosen = new URLSearchParams(location.search).get('theme') === 'light' ? 'light' : 'dark';
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
