import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { useWrite } from '#web/use-write.ts';
import { type Passkey, renamePasskey } from '../passkeys.ts';
import styles from './PasskeysSection.module.css';
import { unixOf } from './sessions.ts';

type Props = { passkey: Passkey; onRemove: () => void };

/** One passkey; its name can be edited in place. */
export function PasskeyRow({ passkey, onRemove }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isRenaming, setRenaming] = useState(false);
  const name = passkey.name ?? t('security.passkeys.unnamed');
  if (isRenaming)
    return (
      <li className={styles.row}>
        <RenamePasskey id={passkey.id} name={name} onDone={() => setRenaming(false)} />
      </li>
    );
  return (
    <li className={styles.row}>
      <IconFingerprint className={styles.icon} size={22} stroke={1.5} aria-hidden="true" />
      <div className={styles.what}>
        <span className={styles.name}>{name}</span>
        <span className={styles.facts}>
          {passkey.createdAt === null ? null : (
            <span>{t('security.passkeys.added', { when: formats.moment(unixOf(passkey.createdAt)) })}</span>
          )}
          <span>{t(passkey.backedUp ? 'security.passkeys.synced' : 'security.passkeys.oneDevice')}</span>
        </span>
      </div>
      <ActionIcon aria-label={t('security.passkeys.rename', { name })} onClick={() => setRenaming(true)}>
        <IconPencil size={17} />
      </ActionIcon>
      <ActionIcon aria-label={t('security.passkeys.remove', { name })} onClick={onRemove}>
        <IconTrash size={17} />
      </ActionIcon>
    </li>
  );
}

function RenamePasskey({ id, name, onDone }: { id: string; name: string; onDone: () => void }) {
  const { t } = useTranslation();
  const close = useWhileShown(onDone);
  const write = useWrite();
  const [draft, setDraft] = useState(name);
  const wanted = draft.trim();

  const save = () =>
    write.run(async () => {
      await renamePasskey(id, wanted);
      close();
    });

  return (
    <form
      className={styles.rename}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (wanted !== '') void save();
      }}
    >
      <TextInput
        className={styles.field}
        aria-label={t('security.passkeys.name')}
        autoFocus
        autoComplete="off"
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => (event.key === 'Escape' ? onDone() : undefined)}
      />
      <Button type="submit" loading={write.busy} disabled={wanted === ''}>
        {t('ui.save')}
      </Button>
      <Button variant="default" onClick={onDone}>
        {t('ui.cancel')}
      </Button>
      <Refused write={write} />
    </form>
  );
}
