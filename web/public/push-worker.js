// Service worker of /app/: shows what is pushed to this browser, also while no dashboard is open. It keeps nothing and
// answers no requests.

const SILENT = new Set(['alarm_acknowledged', 'alarm_resolved', 'drill_ended']);
// icon-192.png itself: browsers wait up to 90 s for an icon before they show a notification, and the server may be out of reach.
const ICON =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAMAAAADACAIAAADdvvtQAAAKOUlEQVR4nOzde2yT1xnH8cd2nNiOnZsTO/fYSUgI5B4SCmIgQlMgBUaZoIwCDWuLdvtjUrVJbEOjnWhV2m6jY5tEO3VbNQ2tQ6zSxLQOqRKMS4FunUShSYESGi5KCLlCTC723g3BeuHi+NjJOc/5fVQhpLYi2F+/ft/znvecuFkP7iOASJkJQAACAiEICIQgIBCCgEAIAgIhCAiEICAQgoBACAICIQgIhCAgEIKAQAgCAiEICIQgIBCCgEAIAgIhCAiEICAQgoBACAICIQgIhCAgEIKAQAgCAiEICIQgIBCCgEAIAgIhCAiEICAQgoBACAICIQgIhCAgEIKAQAgCAiFxpIjpZUlLF+WUFLumlriIr8Fro22nBz441b9rd3tP7whJzyT/OtEWi2ljS9GaVfkWs4m0cbVn+PmfnDp45ArJTYGvsKe/XbpudYFW9RjSUuNf/HHVA/VukpvsATXUpS1fkkO62vR0mcsl9WmG7AGtWJZLGstwJyyY5yWJSR2QyURV5Smkt/KyZJKY1IfH/FxHcpKV9FZblUoSk/oIdLkzEAyGSG/dV4dJYlIHdONG8JMLQ6S3j84MkMRkP4ne+/ZF0tjYWOitvRdIYrIHtGv3+fZPrpGu/vRWR+tHOAIJGBkJvbi9lbTU2RXY+foZkpsCI9H//HfPwyv3/+NwF2ljdDT06m/OPvLYwaHAGMlNgXtht3kyEkqnuPwFTqs1Vt3HxZlsNos9wWL85nP/yrgaHB4OBgJj14di+KYODo60nRlsbeuP6Z8SRSoFFCPGvYI5D6Q31LnrqtPS3fHh/C/GDfP33u85+l73u8evkt60DmjOrPRli3OMXylSPb0jf3/n8p6/dLSfv05a0jEg4w5J41zv19b5/QWJFA2hEL2zv/O13509d167C0btAkpJtm7dXFETg/sDY8GQcdH0xq520oklr3A9acO4MfmLl+sK/U6KAbPJVF+bNm1q8sF3u4zRB9KDRnOiH2r0/vKnte60sE6TIzarwf3rHQ3ZmTbSgy4BPdVSuGVTeZxlIv6++bmO1381s6SI89zt27QIaP1q34bH/DSBXM647dtq8nLsxB3/gBY3ZX79iSKacMlJ1u3batnPZ2IeUG6O/XvfmUqTJNNje/YH5cQa84BeeKYqId5Ck8e4Llu5PI/44hzQ+q/6ojVUKOIbTxQZg0/EFNuAjPesZY2PJGDcnf3mk8XEFNuANm4oMt45ksOSRdm+/Mk/FsYCz4CM0cIli7JIJo/LcTiMOp4BGWc/EzNmGL6FCzKzMxkOCzEMyGym5ofkOvzcZDRE7DAMqKHOneiQ8YHJ+XM9xA7DgBplfZ+KC505Wdy+xRgGNHtm5DMMY03+5VrGi1tABXmOtNTYTtgQUVcj9YPuEVBmibsw1VZL/Q7VVHILiNsRqKwkiSRm3Jw37rASI9wCKvTFZLpqFPl9rIak+QUk+9vjL5A98XFhdQ5knD7Lc//rbrKzWH2FsQooPS2BpOdOVeCHDB+rgNxueS/gb0tLU+CHDB+rgFKSVQhI4mGqCLAKSInFyF1OVq85q79MiBR4HtSZyOo1Z3UZH1LheWKz2WSz8XnZWQVkNqmxn4acs00iw+pwarOr8XmwJcg+WBU+VgHZpR9FvEn+0c7w8ToCKRMQnzMHHIEmgSo/ZzhwBJoECTgHkpMqVzcOBwKSUqZXjRvdWR4+U+tZBaTKMw9ZjGZ08AnIajWpcp+S0yOqfALKy3GQIrIZPR3GJyCF3hWvh8+cMj4jWvm5yhyB4ixmNt9ifAKqnK7S/s6V5VLvxRw+PgFVV6gUUHUFkycMmZwDFfoSk5RaULe6UqXc74HJEUi5D7Rxxpbk4vDpZRJQTZV6H+i66jRSH4eA4q1mkU3jJkvjPA7rTXEIaP5cz+SuJh4ZI3oG8zo4BLS4ScYVEe/LiH7BPC8pTvmAUpKt9bWqXhIvalJ+2U3lA1q6ONukyMMYX1RblarKFJS7UTsg4/R5zcoCUlnLmgndyCzq1A5o5SN5qm/I1bww05uh8L1VhQOy2cxrH1X78EP/u7G6YW0hKUvhgFYtz+exH+Cy5mx1z4RUDSgvx75hnY+4UHdjQyUDioszPfejShUHD++mvCx5/WofKUjJgL71VHGRn9VSlYYnW/wlxertFK5eQPPmZDy6Ip/YMc6mt26uUG75KcUCmj416dnvs90HOSfb/tLWaqtVpXFRlQIyXt+XnzNeX84bBVdMS96ySaVPiCWvcD2pICM94efbao1fiTt/QWJKSvzho92kAjUCys917Nw+w8trl4l7mFaaZGR04HBXMEiSU+DroLws6bUd9W4VFhGPosZ53h0v1bmkn/Yqe0B11ak7X6lntrJpmIzzoVdfqZd8tF3qgLyehBeeqSKNGd/dz2+pJIlJHdDaVT5OS+lEproiZUaNvNPvpQ6orFTq3eMmTOkUeUeopT63MKuwdcEEkHnGpdRHoLbTAwREH7b1k6ykDuiPe84HgypsXxBLH7dfO/6vHpKV1AGdPXdt288+DCmxBUZsdF0JfPeH75PEZB+Jbj09cORYtyfD5nDE2e0Td0UWCFD/YKi3L9TbHzJ+Pzr630lI5gn8uHVcGPrrvsubt57ovjpMEjPNenAfwS0JCZam+b7aaq/TeYfhu87O6/sPdRw9fongFgT0f2Wl7q8sL0ly3WelzrPn+t7c09rdPUSg0N34WJszO3flilK77f7jGqkptpoqz7n2vr6+G6Q9znNrwtfU6FvWXBT+jpmJDuvGlqqCPIxzIiDjfm1NZlPjuJ8vs8abH19b7nbzWbA3MroHZLNZmhdG+HCxM9H68CKFnwmMCt0D+tLsPJcz8vXty8vSszK5PR8yLroHNKNGdIWeWQ3ZpDEdJ2rd5slwpKaKTpMtncJkwd7IaH0Eisq3j5Ggzabv51DrgJJc0Zktet+xR8a0/gpzOqMzUZ/TLszjpXVAg4PRGUoOBMZIV1oH1D8wQtHQPyD1DfOY0jqgS5cHSVhn1/VAYJR0pfVJtPHeG/+QmA9OqfEMcozoPpB44HAHCRgLho4cvUga0z2gY8cvdV+NfGbPseOXe3oDpDHdAwoG6c09bWNjkUy7NtLZ+/YZ0humc9DZj3v3/m3cHQwPB3/7+5M6X8DfpPVV2G0HDl0wzmaWNheHOaesr3/4jT+cuHgJj60hoFsOHbnY2Xn9y0uKvZ7Ee/+XJ1u7d/+5bUDjsZ9Pw6T6zzCZqHK6Z2ZDVpE/5XMPFN8YHjtx8srBwx0dF6IwesQGArozlzM+N8eVnBxvt1sHB0Z6+obOtfeNjur+mOwX4SvszgYGh0+1aj1CGCZchYEQBARCEBAIQUAgBAGBEAQEQhAQCEFAIAQBgRAEBEIQEAhBQCAEAYEQBARCEBAIQUAgBAGBEAQEQhAQCEFAIAQBgRAEBEIQEAhBQCAEAYEQBARCEBAIQUAgBAGBEAQEQhAQCEFAIAQBgRAEBEIQEAhBQCAEAYGQ/wAAAP//8xCWXAAAAAZJREFUAwAbrAOrizE2VwAAAABJRU5ErkJggg==';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, url, tag, kind, replaces } = readMessage(event.data);
  const isOver = SILENT.has(kind);
  event.waitUntil(
    Promise.all([
      closeNotifications(replaces),
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
    ]),
  );
});

/** What alarms have shown that have joined this one: nothing else comes for them any more. */
async function closeNotifications(tags) {
  for (const tag of tags)
    for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

/** Browsers demand that something is shown for every push, also for one that cannot be read. */
function readMessage(data) {
  const plain = { title: 'Tocsin', body: '', url: '/app/', tag: 'tocsin', kind: '' };
  try {
    const given = data.json();
    const texts = Object.entries(plain).map(([name, otherwise]) => [
      name,
      typeof given[name] === 'string' ? given[name] : otherwise,
    ]);
    const replaces = Array.isArray(given.replaces) ? given.replaces : [];
    return {
      ...Object.fromEntries(texts),
      replaces: replaces.filter((tag) => typeof tag === 'string'),
    };
  } catch {
    return { ...plain, replaces: [] };
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
  event.waitUntil(subscribeAgain(event.oldSubscription));
});

async function subscribeAgain(before) {
  const answer = await fetch('/me/push/key');
  if (!answer.ok) return;
  const { key } = await answer.json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await self.registration.pushManager.subscribe(options);
  await fetch('/me/push/subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...subscription.toJSON(), ...(before && { replaces: before.endpoint }) }),
  });
}
