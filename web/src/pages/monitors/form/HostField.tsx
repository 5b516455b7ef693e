import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Form.module.css';
import { useMonitorForm } from './form-context.ts';
import { PortField } from './PortField.tsx';
import own from './Section.module.css';

type Props = {
  label?: string;
  placeholder?: string;
  hint?: string;
  /** Path inside the config. */
  at?: string;
};

/** A host name or an IP address to connect to. */
export function HostField({ label, placeholder, hint, at = 'host' }: Props) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <TextInput
      label={label ?? t('fields.host')}
      description={hint}
      placeholder={placeholder ?? 'server.example.com'}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      autoFocus={at === 'host' && form.values.config[at] === ''}
      classNames={{ input: own.mono }}
      {...form.getInputProps(`config.${at}`)}
    />
  );
}

/** Host and port on one line. */
export function HostAndPort({ usual, ...host }: Props & { usual?: number }) {
  return (
    <div className={`${styles.row} ${own.hostAndPort}`}>
      <HostField {...host} />
      <PortField usual={usual} />
    </div>
  );
}
