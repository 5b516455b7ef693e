import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconChevronDown, IconPlayerPause } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import styles from './Actions.module.css';
import { fromLocalInput, toLocalInput } from './local-time.ts';

const CHOICES = [
  [15 * 60, 'minutes'],
  [3_600, 'hour'],
  [4 * 3_600, 'fourHours'],
] as const;
/** The longest hold that the API allows. */
const MAX_SECONDS = 86_400;

type Props = {
  label: string;
  disabled: boolean;
  loading: boolean;
  onHold: (seconds: number) => void;
};

/** Holds the alarm for a chosen time, in the caller's name. */
export function HoldMenu({ label, disabled, loading, onHold }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            data-lead="hold"
            variant="default"
            leftSection={<IconPlayerPause size={17} />}
            rightSection={<IconChevronDown size={15} />}
            disabled={disabled}
            loading={loading}
          >
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <p className={styles.menuText}>{t('hold.text')}</p>
          <Menu.Divider />
          {CHOICES.map(([seconds, word]) => (
            <Menu.Item key={word} onClick={() => onHold(seconds)}>
              {t(`hold.${word}`)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setAsking(true)}>{t('hold.until')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('hold.untilTitle')}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <UntilForm
          onCancel={() => setAsking(false)}
          onHold={(seconds) => {
            setAsking(false);
            onHold(seconds);
          }}
        />
      </Modal>
    </>
  );
}

function UntilForm({ onHold, onCancel }: { onHold: (seconds: number) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const now = Math.floor(Date.now() / 1_000);
  const [shown] = useState(now + 2 * 3_600);
  const [value, setValue] = useState(() => toLocalInput(shown));
  const [wrong, setWrong] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    const seconds = (fromLocalInput(value, shown) ?? 0) - Math.floor(Date.now() / 1_000);
    if (seconds < 1 || seconds > MAX_SECONDS) setWrong(true);
    else onHold(seconds);
  }

  return (
    <form className={stack.stack} onSubmit={submit} noValidate>
      <p>{t('hold.text')}</p>
      <TextInput
        data-autofocus
        type="datetime-local"
        label={t('hold.untilLabel')}
        description={t('hold.untilHint')}
        min={toLocalInput(now)}
        max={toLocalInput(now + MAX_SECONDS)}
        value={value}
        error={wrong ? t('hold.untilWrong') : null}
        onChange={(event) => {
          setWrong(false);
          setValue(event.currentTarget.value);
        }}
      />
      <div className={stack.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit">{t('hold.button')}</Button>
      </div>
    </form>
  );
}
