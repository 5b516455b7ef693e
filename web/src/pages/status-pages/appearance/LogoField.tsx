import { Button, FileButton } from '@mantine/core';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { LOGO_BYTES } from '#src/status-pages/logo-contract.ts';
import { ApiError } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import styles from './AppearancePart.module.css';
import type { Background, DecodedLogo } from './read-logo.ts';

const KINDS = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

type Props = {
  ground: Background;
  /** Whether there is a logo for this background. */
  own: boolean;
  /** The logo that visitors see on it; null: none. */
  seen: DecodedLogo | null;
  onUpload: (file: File) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
};

/** A logo on one background, as visitors see it, with a warning if it is invisible. */
export function LogoField({ ground, own, seen, onUpload, onRemove }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const write = useWrite({
    words: (error) =>
      error instanceof ApiError && error.status === 413
        ? t('statusPages.look.tooLarge', { size: formats.integer(LOGO_BYTES / 1024) })
        : undefined,
  });
  const chosen = useRef<() => void>(null);
  const isLost = seen?.isLostOn[ground] ?? false;
  const label = t(`statusPages.look.ground.${ground}`);

  function choose(file: File | null) {
    // The same file may be chosen again.
    chosen.current?.();
    if (file !== null)
      void write.run(() => {
        if (file.size > LOGO_BYTES) throw new ApiError(413, { error: 'payload_too_large', message: '' });
        return onUpload(file);
      });
  }

  return (
    <section className={styles.logo} aria-label={label}>
      <p className={styles.label}>{label}</p>
      <div className={styles.ground} data-ground={ground}>
        {seen === null ? (
          <span>{t('statusPages.look.noLogo')}</span>
        ) : (
          <img src={seen.address} alt={t(`statusPages.look.alt.${own ? 'own' : 'other'}`)} />
        )}
      </div>
      <p className={styles.hint} data-lost={isLost || undefined} role="status">
        {isLost
          ? t(`statusPages.look.lost.${ground}`)
          : t(seen !== null && !own ? 'statusPages.look.sameLogo' : 'statusPages.look.kinds')}
      </p>
      <Refused write={write} />
      <div className={styles.buttons}>
        <FileButton accept={KINDS.join(',')} onChange={choose} resetRef={chosen}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="xs"
              leftSection={<IconUpload size={15} />}
              loading={write.busy}
            >
              {t(own ? 'statusPages.look.replace' : 'statusPages.look.upload')}
              <span className="visually-hidden">: {label}</span>
            </Button>
          )}
        </FileButton>
        {own ? (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<IconTrash size={15} />}
            disabled={write.busy}
            onClick={() => void write.run(onRemove)}
          >
            {t('statusPages.look.remove')}
            <span className="visually-hidden">: {label}</span>
          </Button>
        ) : null}
      </div>
    </section>
  );
}
