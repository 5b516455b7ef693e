import { useMantineColorScheme } from '@mantine/core';
import { IconBuilding, IconKeyboard, IconLanguage, IconLogout, IconSunMoon } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES, type Language } from '../i18n/languages.ts';
import { signOut } from '../session.ts';
import type { Item } from './item.ts';
import { show } from './overlay.ts';
import type { PaletteContext } from './use-palette-context.ts';

const ICON = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

const SPOKEN = Object.keys(LANGUAGES).map((spoken) => new Intl.DisplayNames(spoken, { type: 'language' }));
/** The names of a language in each that the dashboard speaks: whoever searches may not read the one it is in. */
const namesOf = (language: string): string[] => SPOKEN.map((names) => names.of(language) ?? '');

/** Actions available on any page: switch organization or appearance, open the help, sign out. */
export function useActionItems({ organization, organizations }: PaletteContext): Item[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();

  const others = organizations
    .filter(({ id }) => id !== organization?.id)
    .map(
      ({ id, name }): Item => ({
        key: `organization ${id}`,
        group: 'actions',
        label: t('palette.switchTo', { name }),
        words: [t('shell.organizations')],
        icon: <IconBuilding {...ICON} />,
        run: () => navigate({ to: '/o/$orgId', params: { orgId: id } }),
      }),
    );
  const schemes = (['auto', 'light', 'dark'] as const)
    .filter((scheme) => scheme !== colorScheme)
    .map(
      (scheme): Item => ({
        key: `appearance ${scheme}`,
        group: 'actions',
        label: t('palette.appearance', { value: t(`shell.appearance.${scheme}`) }),
        words: [t('palette.words.theme')],
        icon: <IconSunMoon {...ICON} />,
        run: () => setColorScheme(scheme),
      }),
    );
  const languages = Object.entries(LANGUAGES)
    .filter(([language]) => language !== i18n.language)
    .map(
      ([language, name]): Item => ({
        key: `language ${language}`,
        group: 'actions',
        label: t('palette.language', { name }),
        words: ['Language', 'Sprache', ...namesOf(language)],
        icon: <IconLanguage {...ICON} />,
        run: () => chooseLanguage(language as Language),
      }),
    );
  return [
    ...others,
    ...schemes,
    ...languages,
    {
      key: 'help',
      group: 'actions',
      label: t('shortcuts.title'),
      words: [t('palette.words.help')],
      icon: <IconKeyboard {...ICON} />,
      keys: ['?'],
      run: () => show('help'),
    },
    {
      key: 'sign-out',
      group: 'actions',
      label: t('shell.signOut'),
      words: [t('palette.words.signOut')],
      icon: <IconLogout {...ICON} />,
      run: async () => {
        await signOut();
        await navigate({ to: '/sign-in' });
      },
    },
  ];
}
