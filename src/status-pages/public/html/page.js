// The script of a page, which is complete without it. It keeps the page current, shows times on the visitor's clock, and shows
// the events of the day under the pointer. It runs in browsers, with no packages, and the page's policy has its hash.
(() => {
  const AGAIN_MS = 30_000;
  const STALE_MS = 150_000;
  const GIVE_UP_MS = 15_000;
  const DAY_MS = 86_400_000;
  /** Units between two bars. */
  const GAP = 2;

  const language = document.documentElement.lang;
  const locale = navigator.languages.find((wanted) => wanted.startsWith(language)) ?? language;
  const clock = { hour: '2-digit', minute: '2-digit' };
  const clockFormat = new Intl.DateTimeFormat(locale, clock);
  const monthFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...clock });
  const yearFormat = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...clock,
  });
  const dayFormat = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const main = () => document.getElementById('main');

  /** The visitor's time zone and date format; the title keeps those of the page. */
  function showOwnTimes(scope) {
    for (const time of scope.querySelectorAll('time[data-form]')) {
      const { form, from } = time.dataset;
      const at = new Date(time.dateTime);
      const isClock =
        form === 'clock' || (form === 'end' && at.toDateString() === new Date(from).toDateString());
      time.textContent = isClock ? clockFormat.format(at) : dayAndTime(at);
    }
  }

  const dayAndTime = (at) =>
    (at.getFullYear() === new Date().getFullYear() ? monthFormat : yearFormat).format(at);

  // The page, fetched again.

  let tag = null;
  let fetchedAt = Date.now();

  async function refresh() {
    // A selection would be gone before the visitor copies it. Meanwhile the page grows old, and says so.
    if (document.hidden || !getSelection().isCollapsed) return showStale();
    try {
      const answer = await fetch(location.pathname, {
        cache: 'no-store',
        headers: tag === null ? {} : { 'if-none-match': tag },
        signal: AbortSignal.timeout(GIVE_UP_MS),
      });
      // The page was locked, moved or deleted meanwhile: the server shows what there is.
      if (answer.status === 401 || answer.status === 404) return location.reload();
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error(String(answer.status));
        take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
        tag = answer.headers.get('etag');
      }
      fetchedAt = Date.now();
    } catch {
      // The next attempt may succeed; until then the notice below says how old the page is.
    }
    showStale();
  }

  function showStale() {
    const notice = document.getElementById('stale');
    if (notice === null) return;
    notice.hidden = Date.now() - fetchedAt < STALE_MS;
    notice.textContent = notice.dataset.words.replace('{time}', clockFormat.format(fetchedAt));
  }

  /** Replaces the old content with the new: open elements stay open, and the focus stays where it is. */
  function take(page) {
    const next = page.getElementById('main');
    const old = main();
    if (next === null) return;
    const open = new Map([...old.querySelectorAll('details')].map((each) => [pathOf(each), each.open]));
    for (const each of next.querySelectorAll('details')) each.open = open.get(pathOf(each)) ?? each.open;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const place = focused && placeOf(focused);
    hideTip();
    old.replaceWith(next);
    prepare(next);
    document.title = page.title;
    document.querySelector('link[rel=icon]').href = page.querySelector('link[rel=icon]').href;
    const again = place && elementAt(place);
    if (again?.days && focused.days) again.days.at = focused.days.at;
    again?.focus({ preventScroll: true });
    if (next.dataset.state !== old.dataset.state)
      document.getElementById('live').textContent = next.dataset.state;
  }

  const pathOf = (element) => {
    const keys = [];
    for (let each = element; each; each = each.parentElement)
      if (each.dataset.key) keys.push(each.dataset.key);
    return keys.join('\n');
  };

  /** The position of an element, in words that outlive its replacement: its parent, and its index among its kind. */
  function placeOf(element) {
    const scope = element.closest('[data-key]') ?? main();
    const alike = [scope, ...scope.querySelectorAll(element.localName)];
    return { path: pathOf(scope), name: element.localName, at: alike.indexOf(element) };
  }

  function elementAt({ path, name, at }) {
    const keyed = [...main().querySelectorAll('[data-key]')];
    const scope = path === '' ? main() : keyed.find((each) => pathOf(each) === path);
    return scope ? [scope, ...scope.querySelectorAll(name)][at] : null;
  }

  // The days of the bars.

  const tip = document.createElement('div');
  tip.className = 'tip';
  const mark = document.createElement('div');
  mark.className = 'mark';
  let shown = null;

  /** Makes bars a slider over their days; titles would show a second hint beside ours. */
  function prepareBars(bars) {
    const svg = bars.querySelector('svg');
    const count = Number(bars.dataset.count);
    svg.removeAttribute('role');
    svg.removeAttribute('aria-label');
    svg.setAttribute('aria-hidden', 'true');
    const eventful = new Map();
    for (const path of svg.querySelectorAll('path')) {
      const title = path.querySelector('title');
      if (path.dataset.day !== undefined) eventful.set(Number(path.dataset.day), title.textContent);
      title.remove();
    }
    const unknown = new Set();
    for (const range of bars.dataset.unknown.split(' ').filter(Boolean)) {
      const [from, to = from] = range.split('-').map(Number);
      for (let at = from; at <= to; at++) unknown.add(at);
    }
    const first = Date.parse(bars.dataset.first);
    bars.days = { svg, count, at: count - 1, eventful, unknown, first };
    bars.tabIndex = 0;
    bars.setAttribute('role', 'slider');
    bars.setAttribute('aria-label', bars.dataset.label);
    bars.setAttribute('aria-valuemin', '1');
    bars.setAttribute('aria-valuemax', String(count));
    say(bars);
  }

  /** `Mon, 23 Nov 2026` and the events of the day. */
  function partsOf(bars) {
    const { at, eventful, unknown, first } = bars.days;
    const date = dayFormat.format(first + at * DAY_MS);
    const text = eventful.get(at);
    if (text !== undefined) return [date, text.split(' · ').slice(1).join(' · ')];
    const { dataset } = bars.closest('.services');
    return [date, unknown.has(at) ? dataset.unknown : dataset.clear];
  }

  function say(bars) {
    bars.setAttribute('aria-valuenow', String(bars.days.at + 1));
    bars.setAttribute('aria-valuetext', partsOf(bars).join(': '));
  }

  function showTip(bars, at) {
    const { svg, count } = bars.days;
    const units = svg.viewBox.baseVal.width;
    const box = svg.getBoundingClientRect();
    const frame = bars.getBoundingClientRect();
    const gap = (GAP / units) * box.width;
    const wide = (box.width + gap) / count;
    // Narrow screens show only the last days.
    const firstSeen = Math.max(0, Math.ceil((frame.left - box.left) / wide - 0.01));
    bars.days.at = Math.min(count - 1, Math.max(firstSeen, at));
    say(bars);
    const [date, text] = partsOf(bars);
    const strong = document.createElement('strong');
    strong.textContent = date;
    tip.replaceChildren(strong, text.replaceAll(' · ', '\n'));
    document.body.append(mark, tip);
    // Its own width, not the width left beside its last position.
    Object.assign(tip.style, { left: '0', top: '0' });
    const left = box.left + bars.days.at * wide;
    const bar = wide - gap;
    Object.assign(mark.style, {
      left: `${left - 3}px`,
      top: `${frame.top - 3}px`,
      width: `${bar + 6}px`,
      height: `${frame.height + 6}px`,
    });
    const own = tip.getBoundingClientRect();
    const middle = left + bar / 2 - own.width / 2;
    const above = frame.top - own.height - 10;
    Object.assign(tip.style, {
      left: `${Math.max(8, Math.min(innerWidth - own.width - 8, middle))}px`,
      top: `${above < 8 ? frame.bottom + 10 : above}px`,
    });
    shown = bars;
  }

  function hideTip() {
    tip.remove();
    mark.remove();
    shown = null;
  }

  const barsUnder = (event) => (event.target instanceof Element ? event.target.closest('.bars') : null);

  function pointAt(event) {
    const bars = barsUnder(event);
    if (bars === null)
      return event.type === 'pointerdown' || event.pointerType === 'mouse' ? leave() : undefined;
    const box = bars.days.svg.getBoundingClientRect();
    showTip(bars, Math.floor(((event.clientX - box.left) / box.width) * bars.days.count));
  }

  const isReadByKeyboard = () =>
    shown !== null && shown === document.activeElement && shown.matches(':focus-visible');

  /** The keyboard keeps its hint while the pointer moves elsewhere. */
  function leave() {
    if (shown !== null && !isReadByKeyboard()) hideTip();
  }

  /** The element that the keyboard reached may have been scrolled into view. */
  function moved() {
    if (isReadByKeyboard()) showTip(shown, shown.days.at);
    else hideTip();
  }

  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -1e9, End: 1e9 };

  function pressKey(event) {
    const bars = barsUnder(event);
    if (event.key === 'Escape') return hideTip();
    if (bars === null || !(event.key in STEPS)) return;
    event.preventDefault();
    showTip(bars, bars.days.at + STEPS[event.key]);
  }

  /** A link to a monitor leads into its group, which may be collapsed. */
  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    for (let each = target.closest('details'); each; each = each.parentElement.closest('details'))
      each.open = true;
    target.scrollIntoView();
  }

  function prepare(scope) {
    showOwnTimes(scope);
    for (const bars of scope.querySelectorAll('.bars')) prepareBars(bars);
  }

  prepare(document);
  for (const each of document.querySelectorAll('[data-zone]'))
    each.textContent = each.dataset.zone.replace('{zone}', clockFormat.resolvedOptions().timeZone);
  document.addEventListener('pointermove', pointAt);
  document.addEventListener('pointerdown', pointAt);
  document.addEventListener('keydown', pressKey);
  document.addEventListener('focusin', (event) => {
    const bars = barsUnder(event);
    if (bars?.matches(':focus-visible')) showTip(bars, bars.days.at);
    else if (bars === null) hideTip();
  });
  addEventListener('scroll', moved, { passive: true });
  addEventListener('resize', moved);
  addEventListener('hashchange', openTarget);
  document.addEventListener('visibilitychange', () => Date.now() - fetchedAt > AGAIN_MS && refresh());
  // So that the visitors of an outage do not all come in the same second.
  setInterval(refresh, AGAIN_MS + Math.random() * 5_000);
  if (location.hash !== '') openTarget();
})();
