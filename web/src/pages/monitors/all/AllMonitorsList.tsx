import { Checkbox } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import styles from './AllMonitorsList.module.css';
import row from './AllMonitorsRow.module.css';
import { AllMonitorsRow } from './AllMonitorsRow.tsx';
import type { Item } from './search.ts';
import { useFigures } from './use-figures.ts';

type Props = {
  items: readonly Item[];
  /** The number of distinct monitors among the items. */
  count: number;
  /** Names of the projects, by id. */
  projects: ReadonlyMap<string, string>;
  /** The ids of the selected monitors; null: selection is not possible. */
  picked: ReadonlySet<string> | null;
  onPick: Dispatch<SetStateAction<ReadonlySet<string>>>;
};

const ROW_PX = 48;
/** Rows rendered beyond the visible ones, so that fast scrolling shows no gap. */
const OVERSCAN = 12;

/** A virtual list: only the rows near the viewport exist, however many there are. */
export function AllMonitorsList({ items, count, projects, picked, onPick }: Props) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // The content above the list may change height at any time: a banner, a wrapped toolbar.
  useLayoutEffect(() => {
    const place = list.current === null ? 0 : list.current.getBoundingClientRect().top + window.scrollY;
    if (Math.abs(place - top) >= 1) setTop(place);
  });
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: OVERSCAN,
    scrollMargin: top,
  });

  const drawn = rows.getVirtualItems();
  const seen = { first: drawn[0]?.index ?? 0, last: drawn.at(-1)?.index ?? 0 };
  const figures = useFigures(items, seen, rows.isScrolling);

  const ids = useMemo(
    () => items.flatMap((item) => (item.kind === 'monitor' ? [item.line.monitor.id] : [])),
    [items],
  );
  const on = picked === null ? 0 : new Set(ids.filter((id) => picked.has(id))).size;
  const pick = useCallback(
    (id: string, isOn: boolean) =>
      onPick((before) => {
        const next = new Set(before);
        if (isOn) next.add(id);
        else next.delete(id);
        return next;
      }),
    [onPick],
  );

  return (
    <div className={styles.frame}>
      <div className={`${row.row} ${styles.head}`} data-bare={picked === null || undefined}>
        <span className={styles.all}>
          {picked === null ? null : (
            <Checkbox
              data-lead="pick-all"
              size="xs"
              label={t('allMonitors.pickAll', { count })}
              checked={on === count}
              indeterminate={on > 0 && on < count}
              onChange={(event) => onPick(new Set(event.currentTarget.checked ? ids : []))}
            />
          )}
        </span>
        <span className={row.project}>{t('allMonitors.project')}</span>
        <span className={row.type}>{t('allMonitors.type')}</span>
        <span className={row.uptime} title={t('allMonitors.uptimeDay')}>
          {t('allMonitors.day')}
        </span>
        <span className={row.uptime} title={t('allMonitors.uptimeMonth')}>
          {t('allMonitors.month')}
        </span>
        {picked === null ? null : <span />}
      </div>
      <ul
        ref={list}
        className={styles.list}
        aria-label={t('allMonitors.title')}
        style={{ height: rows.getTotalSize() }}
      >
        {drawn.map(({ key, index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.item}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {item.kind === 'group' ? (
                <h2 className={styles.group}>
                  <StatusGlyph state={item.worst} size={11} />
                  {item.name}
                  <span className={styles.count}>{item.count}</span>
                </h2>
              ) : (
                <AllMonitorsRow
                  line={item.line}
                  figures={figures.get(item.line.monitor.id)}
                  project={projects.get(item.line.monitor.project_id) ?? ''}
                  isPicked={picked === null ? null : picked.has(item.line.monitor.id)}
                  onPick={pick}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
