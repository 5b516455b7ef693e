// What the page consists of may fail to arrive: the network changed, the server restarted. It would stay blank for ever. So it is
// loaded again once the server answers; after it has started it recovers by itself, and loses nothing that was typed.
const RELOADED_AT = 'tocsin.unstarted-reloaded-at';
/** A server that lacks parts of its own page, because files were replaced under it, lacks them after a reload too. */
const NOT_AGAIN_WITHIN_MS = 30_000;
let isReloading = false;

addEventListener(
  'error',
  ({ target }) => {
    const isPart = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement;
    if (!isPart || isReloading || document.getElementById('root')?.childElementCount !== 0) return;
    isReloading = true;
    reloadOnceAnswered();
  },
  true,
);

function reloadOnceAnswered() {
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => setTimeout(reload, untilNextMs()),
    () => setTimeout(reloadOnceAnswered, 2000),
  );
}

/** At once, but not again and again. */
function untilNextMs() {
  const agoMs = Math.max(0, Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0));
  return Math.max(0, NOT_AGAIN_WITHIN_MS - agoMs);
}

function reload() {
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}
