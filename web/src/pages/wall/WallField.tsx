import { memo, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TileState } from '#src/domain/names.ts';
import type { Wall } from '#src/walls/contract.ts';
import { fitTiles, type Room } from './fit-tiles.ts';
import styles from './WallPage.module.css';

/** All monitors as tiles that fill the screen. The sentence has their sum, so for screen readers this is a picture. */
export function WallField({ tiles }: { tiles: Wall['tiles'] }) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setRoom({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const hasNames = tiles.every(({ name }) => name !== null);
  const { named, columns, width, height, gap } = fitTiles(tiles.length, room, hasNames);
  return (
    <div className={styles.box} ref={box} role="img" aria-label={t('overview.field')}>
      <div
        className={styles.field}
        style={{ gridTemplateColumns: `repeat(${columns}, ${width}px)`, gridAutoRows: `${height}px`, gap }}
      >
        {tiles.map(({ name, state }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a tile is identified by its place
          <One key={place} name={named ? name : null} state={state} />
        ))}
      </div>
    </div>
  );
}

const One = memo(function One({ name, state }: { name: string | null; state: TileState }) {
  if (name === null) return <span className={styles.tile} data-state={state} />;
  return (
    <span className={styles.named} data-state={state}>
      <span className={styles.spot} data-state={state} />
      <span className={styles.name}>{name}</span>
    </span>
  );
});
