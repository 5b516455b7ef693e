import { IconBook2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Texts } from '../i18n/texts.ts';
import { ACCOUNT_ACTIONS, ACTION_PLACES } from './actions.ts';
import type { Item } from './item.ts';
import { leadTo } from './lead.ts';
import { keysOf, mayOpen } from './may-open.ts';
import { GLOBAL_PLACES, ORGANIZATION_PLACES } from './places.ts';
import type { PaletteContext } from './use-palette-context.ts';

type Words = keyof Texts['palette']['words'];

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

/** The fixed pages, and what is done on them. */
export function usePageItems(where: PaletteContext): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const orgId = where.organization?.id;
  const wordsOf = (place: object & { words?: Words }): string[] =>
    place.words === undefined ? [] : [t(`palette.words.${place.words}`)];
  const own = GLOBAL_PLACES.filter((place) => mayOpen(place, where)).map((place): Item => {
    const keys = keysOf(place);
    return {
      key: place.to,
      group: 'pages',
      label: t(place.text),
      words: wordsOf(place),
      icon: <place.icon {...ICON} />,
      ...(keys && { keys }),
      run: () => navigate({ to: place.to }),
    };
  });
  const reference: Item = {
    key: '/docs',
    group: 'pages',
    label: t('shell.reference'),
    words: [t('palette.words.reference')],
    icon: <IconBook2 {...ICON} />,
    run: () => window.location.assign('/docs'),
  };
  const account = ACCOUNT_ACTIONS.map(
    (place): Item => ({
      key: `account ${place.lead}`,
      group: 'actions',
      label: t(place.text),
      words: wordsOf(place),
      icon: <place.icon {...ICON} />,
      run: async () => {
        await navigate({ to: '/account' });
        await leadTo(place.lead);
      },
    }),
  );
  if (orgId === undefined) return [...own, reference, ...account];

  const pages = ORGANIZATION_PLACES.filter((place) => mayOpen(place, where)).map((place): Item => {
    const keys = keysOf(place);
    return {
      key: place.to,
      group: 'pages',
      label: t(place.text),
      // People search for settings under that word too.
      words: [...wordsOf(place), ...(place.to.includes('/settings/') ? [t('settings.title')] : [])],
      icon: <place.icon {...ICON} />,
      ...(keys && { keys }),
      run: () => navigate({ to: place.to, params: { orgId } }),
    };
  });
  const actions = ACTION_PLACES.filter((place) => mayOpen(place, where)).map(
    (place): Item => ({
      key: place.text,
      group: 'actions',
      label: t(place.text),
      words: wordsOf(place),
      icon: <place.icon {...ICON} />,
      run: async () => {
        await navigate({ to: place.to, params: { orgId } });
        if ('lead' in place) await leadTo(place.lead, 'press' in place);
      },
    }),
  );
  return [...pages, ...own, reference, ...actions, ...account];
}
