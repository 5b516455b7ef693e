import { Link, useNavigate } from '@tanstack/react-router';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { MONITOR_STATES, TILE_STATES, type TileState } from '#src/domain/names.ts';
import type { Counts, Tile } from '#src/overview/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './Field.module.css';
import { adjacentTile } from './tile-navigation.ts';
import { tileSize } from './tile-size.ts';
import { useStateWord } from './use-state-word.ts';

type Props = { tiles: readonly Tile[]; counts: Counts };

/** Every monitor as a tile with a link, and the counts of states. */
export function Field({ tiles, counts }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const word = useStateWord();
  const hint = useId();
  const [pointed, setPointed] = useState<string | null>(null);
  const tile = pointed === null ? undefined : tiles.find(({ id }) => id === pointed);
  const said =
    tile === undefined
      ? ''
      : [
          t('overview.tile', { name: tile.name, state: word(tile.state) }),
          ...(tile.since_unix === null
            ? []
            : [t('overview.since', { moment: formats.minute(tile.since_unix) })]),
        ].join(', ');
  return (
    <Panel
      title={t('overview.field')}
      aside={
        <span className={styles.pointed} aria-hidden="true">
          {said}
        </span>
      }
    >
      <p className="visually-hidden" id={hint}>
        {t('overview.fieldHint')}
      </p>
      <Tiles tiles={tiles} hint={hint} onPoint={setPointed} />
      <div className={styles.foot}>
        <Legend counts={counts} />
        {tiles.length < counts.monitors ? (
          <span>
            {t('overview.fieldCut', {
              shown: formats.integer(tiles.length),
              count: counts.monitors,
            })}
          </span>
        ) : null}
      </div>
    </Panel>
  );
}

type TilesProps = { tiles: readonly Tile[]; hint: string; onPoint: (id: string | null) => void };

const idIn = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest('a')?.dataset.id ?? null) : null;

/** One tab stop: arrow keys move within. Thousands of links share their listeners. */
const Tiles = memo(function Tiles({ tiles, hint, onPoint }: TilesProps) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  const [stop, setStop] = useState<string | null>(null);
  const word = useStateWord();
  const size = tileSize(tiles.length);
  const current = tiles.some(({ id }) => id === stop) ? stop : (tiles[0]?.id ?? null);

  function open(event: MouseEvent) {
    const monitorId = idIn(event.target);
    // The link itself opens other tabs.
    if (monitorId === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId } });
  }

  function move(event: KeyboardEvent) {
    const links: HTMLElement[] = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const to =
      at === -1
        ? null
        : adjacentTile(
            event.key,
            at,
            links.map(({ offsetTop }) => offsetTop),
          );
    if (to === null) return;
    event.preventDefault();
    links[to]?.focus();
  }

  function focused(event: FocusEvent) {
    const id = idIn(event.target);
    setStop(id);
    onPoint(id);
  }

  return (
    <ul
      className={styles.field}
      data-size={size}
      ref={list}
      aria-describedby={hint}
      onClick={open}
      onKeyDown={move}
      onFocus={focused}
      onPointerOver={(event: PointerEvent) => onPoint(idIn(event.target))}
      onPointerLeave={() => onPoint(null)}
    >
      {tiles.map(({ id, name, state }) => (
        <One
          key={id}
          {...{ id, name, state }}
          stateWord={word(state)}
          href={`/app/o/${orgId}/monitors/${id}`}
          isNamed={size === 'named'}
          isStop={id === current}
        />
      ))}
    </ul>
  );
});

type OneProps = {
  id: string;
  name: string;
  state: TileState;
  stateWord: string;
  href: string;
  isNamed: boolean;
  isStop: boolean;
};

const One = memo(function One({ id, name, state, stateWord, href, isNamed, isStop }: OneProps) {
  const { t } = useTranslation();
  return (
    <li>
      <a
        className={isNamed ? styles.named : styles.link}
        href={href}
        data-id={id}
        data-state={state}
        tabIndex={isStop ? 0 : -1}
        aria-label={t('overview.tile', { name, state: stateWord })}
      >
        {isNamed ? (
          <>
            <span className={styles.spot} data-state={state} aria-hidden="true" />
            <span className={styles.name}>{name}</span>
          </>
        ) : null}
      </a>
    </li>
  );
});

/** The counts of states; each links to the filtered list, if that filter exists. */
function Legend({ counts }: { counts: Counts }) {
  const orgId = useOrgId();
  const formats = useFormats();
  const word = useStateWord();
  return (
    <ul className={styles.legend}>
      {TILE_STATES.filter((state) => counts[state] > 0).map((state) => {
        const filter = MONITOR_STATES.find((each) => each === state);
        const content = (
          <>
            <span className={styles.spot} data-state={state} aria-hidden="true" />
            {word(state)} <span className={styles.count}>{formats.integer(counts[state])}</span>
          </>
        );
        return (
          <li key={state}>
            {filter === undefined ? (
              <span className={styles.entry}>{content}</span>
            ) : (
              <Link
                className={styles.entry}
                to="/o/$orgId/monitors/all"
                params={{ orgId }}
                search={{ state: filter }}
              >
                {content}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
