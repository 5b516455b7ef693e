import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import tabs from '#web/shell/SettingsFrame.module.css';
import type { EditorPart } from './parts.ts';

type Props = { orgId: string; pageId: string; parts: readonly EditorPart[]; current: EditorPart };

/** The parts of the editor as tabs, each with a URL. */
export function PartTabs({ orgId, pageId, parts, current }: Props) {
  const { t } = useTranslation();
  const line = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the screen: scroll to the current one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current part decides which tab that is
  useEffect(() => {
    line.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav className={tabs.tabs} aria-label={t('statusPages.parts.label')} ref={line}>
      {parts.map((part) => (
        <Link
          key={part}
          to="/o/$orgId/status-pages/$pageId"
          params={{ orgId, pageId }}
          search={{ part }}
          replace
          resetScroll={false}
          className={tabs.tab}
          data-active={part === current || undefined}
          aria-current={part === current ? 'page' : undefined}
        >
          {t(`statusPages.parts.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
