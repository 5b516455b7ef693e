import { IconBook2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Item } from './item.ts';
import { GO_KEYS } from './keys.ts';
import { CREATE_PLACES, GLOBAL_PLACES, ORGANIZATION_PLACES } from './places.ts';
import type { PaletteContext } from './use-palette-context.ts';

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

type Place = {
  text: string;
  go?: string;
  acted?: boolean;
  managed?: boolean;
  administered?: boolean;
  operated?: boolean;
};

/** The keys that lead to a page, "g" first. */
export function keysOf(place: Place): string[] | undefined {
  const key = Object.entries(GO_KEYS).find(([, name]) => name === place.go)?.[0];
  return key === undefined ? undefined : ['g', key];
}

/** Whether a person is offered a page. */
export function mayOpen(place: Place, where: PaletteContext): boolean {
  if (place.acted && !where.mayAct) return false;
  if (place.managed && !where.mayManage) return false;
  if (place.administered && !where.mayAdminister) return false;
  return !place.operated || where.isOperator;
}

/** The fixed pages, and those that create something. */
export function usePlaceItems(where: PaletteContext): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const orgId = where.organization?.id;
  const own = GLOBAL_PLACES.filter((place) => mayOpen(place, where)).map((place): Item => {
    const keys = keysOf(place);
    return {
      key: place.to,
      group: 'pages',
      label: t(place.text),
      icon: <place.icon {...ICON} />,
      ...(keys && { keys }),
      run: () => navigate({ to: place.to }),
    };
  });
  const reference: Item = {
    key: '/docs',
    group: 'pages',
    label: t('shell.reference'),
    icon: <IconBook2 {...ICON} />,
    run: () => window.location.assign('/docs'),
  };
  if (orgId === undefined) return [...own, reference];

  const pages = ORGANIZATION_PLACES.filter((place) => mayOpen(place, where)).map((place): Item => {
    const keys = keysOf(place);
    return {
      key: place.to,
      group: 'pages',
      label: t(place.text),
      // People search for settings under that word too.
      words: place.to.includes('/settings/') ? [t('settings.title')] : [],
      icon: <place.icon {...ICON} />,
      ...(keys && { keys }),
      run: () => navigate({ to: place.to, params: { orgId } }),
    };
  });
  const making = CREATE_PLACES.filter((place) => mayOpen(place, where)).map(
    (place): Item => ({
      key: place.to,
      group: 'actions',
      label: t(place.text),
      icon: <place.icon {...ICON} />,
      run: () => navigate({ to: place.to, params: { orgId } }),
    }),
  );
  return [...pages, ...own, reference, ...making];
}
