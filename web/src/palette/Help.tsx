import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './Help.module.css';
import { Keys } from './Keys.tsx';
import { keysOf, mayOpen } from './may-open.ts';
import { isMac, show, useShortcutsOn } from './overlay.ts';
import { GLOBAL_PLACES, ORGANIZATION_PLACES } from './places.ts';
import { ShortcutsSwitch } from './ShortcutsSwitch.tsx';
import { usePaletteContext } from './use-palette-context.ts';

type Row = { keys: readonly string[]; text: string };

/** Every shortcut, and the switch for single-key shortcuts. */
export default function Help() {
  const { t } = useTranslation();
  const where = usePaletteContext();
  const isOn = useShortcutsOn();
  const single: Row[] = [
    { keys: ['?'], text: t('shortcuts.help') },
    { keys: ['/'], text: t('shortcuts.search') },
    { keys: ['j'], text: t('shortcuts.next') },
    { keys: ['k'], text: t('shortcuts.previous') },
    { keys: ['Enter'], text: t('shortcuts.open') },
  ];
  const places = [...ORGANIZATION_PLACES, ...GLOBAL_PLACES].flatMap((place): Row[] => {
    const keys = keysOf(place);
    return keys === undefined || !mayOpen(place, where) ? [] : [{ keys, text: t(place.text) }];
  });
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={() => show(null)}
      title={t('shortcuts.title')}
      size={620}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={styles.parts}>
        <section>
          <h2 className={styles.title}>{t('shortcuts.anywhere')}</h2>
          <Rows rows={[{ keys: isMac() ? ['⌘', 'K'] : ['Ctrl', 'K'], text: t('shortcuts.palette') }]} />
          {isOn ? <Rows rows={single} /> : null}
        </section>
        {isOn ? (
          <section>
            <h2 className={styles.title}>{t('shortcuts.go')}</h2>
            <Rows rows={places} />
          </section>
        ) : null}
      </div>
      <div className={styles.foot}>
        <ShortcutsSwitch />
      </div>
    </Modal>
  );
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className={styles.rows}>
      {rows.map(({ keys, text }) => (
        <div key={text} className={styles.row}>
          <dt>{text}</dt>
          <dd>
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
