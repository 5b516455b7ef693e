// Service worker of /app/: shows what is pushed to this browser, also while no dashboard is open. It keeps nothing and
// answers no requests.

const SILENT = new Set(['alarm_acknowledged', 'alarm_resolved', 'drill_ended']);
const ICON = '/app/icon-192.png';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, url, tag, kind } = readMessage(event.data);
  const isOver = SILENT.has(kind);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      // What comes later of the same alarm takes its place: its end without a sound.
      tag,
      renotify: !isOver,
      silent: isOver,
      requireInteraction: !isOver,
      icon: ICON,
      data: { url },
    }),
  );
});

/** Browsers demand that something is shown for every push, also for one that cannot be read. */
function readMessage(data) {
  const plain = { title: 'Tocsin', body: '', url: '/app/', tag: 'tocsin', kind: '' };
  try {
    const given = data.json();
    return Object.fromEntries(
      Object.entries(plain).map(([name, otherwise]) => [
        name,
        typeof given[name] === 'string' ? given[name] : otherwise,
      ]),
    );
  } catch {
    return plain;
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openDashboard(event.notification.data?.url));
});

/** Goes to the page in a dashboard that is open, or opens one. It leads nowhere but into the dashboard. */
async function openDashboard(path) {
  const wanted = new URL(typeof path === 'string' ? path : '/app/', self.location.origin);
  const inside = wanted.origin === self.location.origin && /^\/app(\/|$)/.test(wanted.pathname);
  const url = inside ? wanted.href : new URL('/app/', self.location.origin).href;
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = open.find((client) => client.url === url);
  if (tab) return tab.focus();
  for (const client of open) {
    try {
      const moved = await client.navigate(url);
      if (moved) return await moved.focus();
    } catch {
      // Not one of this worker's: the next, or a window of its own.
    }
  }
  return self.clients.openWindow(url);
}

// A push service that changes a subscription by itself: the server is told the new one, as whoever is signed in.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain());
});

async function subscribeAgain() {
  const answer = await fetch('/me/push/key');
  if (!answer.ok) return;
  const { key } = await answer.json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await self.registration.pushManager.subscribe(options);
  await fetch('/me/push/subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscription),
  });
}
