import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconDeviceDesktop, IconDeviceMobile, IconMoon, IconSun } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PAGE_LANGUAGES, type PageLanguage } from '#src/domain/names.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import type { Editor } from '../editor/use-page-draft.ts';
import { accessOf } from '../page-access.ts';
import { useAddressRefusal } from '../use-address-refusal.ts';
import styles from './Preview.module.css';
import { PreviewFrame } from './PreviewFrame.tsx';
import { usePreview } from './use-preview.ts';

const WIDTHS = { desktop: 1000, phone: 390 } as const;
type Device = keyof typeof WIDTHS;
type Ground = 'light' | 'dark';

/** The page as visitors would see it, on either device, in either theme, and in either language. */
export function Preview({ editor, isWide }: { editor: Editor; isWide: boolean }) {
  const { t, i18n } = useTranslation();
  const sentence = useAddressRefusal();
  const [device, setDevice] = useState<Device>(isWide ? 'desktop' : 'phone');
  const [ground, setGround] = useState<Ground>(
    useComputedColorScheme('light', { getInitialValueInEffect: false }),
  );
  const [language, setLanguage] = useState<PageLanguage>(
    PAGE_LANGUAGES.find((each) => each === i18n.language) ?? 'en',
  );
  const preview = usePreview(editor, language);
  // If it cannot be rendered, the previous page stays.
  const drawn = useRef<string>(undefined);
  drawn.current = preview.data?.html ?? drawn.current;
  const stage = useElementSize();
  const access = accessOf(editor.detail.page);
  // If there is less room, it is rendered at full width and scaled down.
  const scale = Math.min(1, stage.width / WIDTHS[device]);
  return (
    <section className={styles.preview} aria-label={t('statusPages.parts.preview')}>
      <div className={styles.head}>
        <Switcher
          label={t('statusPages.preview.device')}
          value={device}
          onChange={setDevice}
          options={[
            [
              'desktop',
              <IconDeviceDesktop key="icon" size={16} aria-hidden="true" />,
              t('statusPages.preview.desktop'),
            ],
            [
              'phone',
              <IconDeviceMobile key="icon" size={16} aria-hidden="true" />,
              t('statusPages.preview.phone'),
            ],
          ]}
        />
        <Switcher
          label={t('shell.appearance.label')}
          value={ground}
          onChange={setGround}
          options={[
            ['light', <IconSun key="icon" size={16} aria-hidden="true" />, t('shell.appearance.light')],
            ['dark', <IconMoon key="icon" size={16} aria-hidden="true" />, t('shell.appearance.dark')],
          ]}
        />
        <Switcher
          label={t('shell.language')}
          value={language}
          onChange={setLanguage}
          options={PAGE_LANGUAGES.map((each) => [
            each,
            each.toUpperCase(),
            t(`statusPages.languages.${each}`),
          ])}
        />
        <span className={styles.state}>{t(`statusPages.preview.seenBy.${access}`)}</span>
      </div>
      {preview.isError ? (
        <p className={styles.refused} role="status">
          {t('statusPages.preview.waits', { why: sentence(preview.error) })}
        </p>
      ) : null}
      <div className={styles.stage} data-device={device} ref={stage.ref}>
        {drawn.current === undefined ? (
          <div className={styles.loading}>
            {preview.isError ? null : <LoadingRows count={6} height={52} />}
          </div>
        ) : (
          <PreviewFrame
            html={drawn.current}
            title={t('statusPages.preview.frame', { name: editor.detail.page.name })}
            ground={ground}
            width={
              device === 'desktop' && scale === 1 ? Math.max(stage.width, WIDTHS.desktop) : WIDTHS[device]
            }
            height={stage.height}
            scale={scale}
          />
        )}
      </div>
    </section>
  );
}

type SwitcherProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  /** The value, its visible label, and its accessible name. */
  options: readonly (readonly [Value, ReactNode, string])[];
};

function Switcher<Value extends string>({ label, value, onChange, options }: SwitcherProps<Value>) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next as Value)}
      data={options.map(([each, sign, words]) => ({
        value: each,
        label: (
          <span className={styles.choice} title={words}>
            <span aria-hidden="true">{sign}</span>
            <span className="visually-hidden">{words}</span>
          </span>
        ),
      }))}
    />
  );
}
