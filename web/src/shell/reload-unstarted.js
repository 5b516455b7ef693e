// What the page consists of may fail to arrive: the network changed, the server restarted. It would stay blank for ever. So it is
// loaded again once the server answers; after it has started it recovers by itself, and loses nothing that was typed.
addEventListener(
  'error',
  ({ target }) => {
    const isPart = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (isPart && document.getElementById('root')?.childElementCount === 0) reloadOnceAnswered();
  },
  true,
);

function reloadOnceAnswered() {
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => setTimeout(reloadOnceAnswered, 2000),
  );
}
