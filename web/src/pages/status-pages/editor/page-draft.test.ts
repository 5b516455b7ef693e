import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatusPageDetail } from '#src/status-pages/contract.ts';
import { draftOf, problemsOf, settingsBody } from './page-draft.ts';

const DETAIL: StatusPageDetail = {
  has_logo: false,
  has_logo_dark: false,
  page: {
    id: 'stp_1',
    organization_id: 'org_1',
    name: 'Shop',
    slug: 'shop',
    description: null,
    headline: 'All of it',
    enabled: true,
    public_viewable: true,
    password_protected: false,
    shared_password_protected: false,
    shared_password_set: false,
    hide_platform_brand: false,
    collapsed_groups: ['Web', 'Gone'],
    header_nav: [{ label: 'Home', href: 'https://shop.example.com' }],
    auto_link_incidents: true,
    timezone: 'Europe/Berlin',
  },
  monitors: [
    {
      monitor: 'mon_1',
      label: 'Front',
      display_name: null,
      group_label: 'Web',
      project: 'Default',
      show_sparkline: true,
      show_uptime_bars: true,
      show_uptime_chart: true,
      sort_order: 0,
      uptime_window_days: 90,
      by_tag: false,
    },
  ],
  tags: [],
};

test('an untouched page is sent as stored, without deleted groups', () => {
  assert.deepEqual(settingsBody(draftOf(DETAIL)), {
    name: 'Shop',
    slug: 'shop',
    headline: 'All of it',
    description: '',
    timezone: 'Europe/Berlin',
    header_nav: [{ label: 'Home', href: 'https://shop.example.com' }],
    collapsed_groups: ['Web'],
    hide_platform_brand: false,
    auto_link_incidents: true,
    access_mode: 'public',
    enabled: true,
    public_viewable: true,
  });
});

test('a monitor from a tag keeps its group collapsed, and is not sent as one added by hand', () => {
  const [placed] = DETAIL.monitors;
  const tagged = { ...(placed ?? assert.fail()), monitor: 'mon_2', group_label: 'Gone', by_tag: true };
  const draft = draftOf({ ...DETAIL, monitors: [...DETAIL.monitors, tagged], tags: ['prod'] });
  assert.deepEqual(
    [draft.monitors.map(({ id }) => id), draft.tags, settingsBody(draft).collapsed_groups],
    [['mon_1'], ['prod'], ['Web', 'Gone']],
  );
});

test('an address is sent as the server would normalize it', () => {
  const { settings, ...rest } = draftOf(DETAIL);
  assert.equal(settingsBody({ settings: { ...settings, slug: ' Über uns ' }, ...rest }).slug, 'ueber-uns');
});

test('a name, an address, both parts of a link, and the required password must be present', () => {
  const { settings, ...rest } = draftOf(DETAIL);
  assert.deepEqual(problemsOf({ settings, ...rest }, false), { headerNav: new Map() });
  const broken = {
    ...settings,
    name: ' ',
    slug: '!',
    headerNav: [{ key: 4, label: 'Home', href: '' }],
    mode: 'shared_password' as const,
  };
  assert.deepEqual(problemsOf({ settings: broken, ...rest }, false), {
    name: 'missing',
    slug: 'missing',
    headerNav: new Map([[4, { label: false, href: true }]]),
    mode: 'no_password',
  });
  assert.equal(problemsOf({ settings: broken, ...rest }, true).mode, undefined);
});
