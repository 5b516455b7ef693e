import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addDomain, type CustomDomain, listDomains } from '#src/status-pages/domains/contract.ts';
import { ApiError } from '#web/call.ts';
import { queryClient, read } from '#web/read.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { PlanSentence } from '../PlanSentence.tsx';
import styles from './DomainsPart.module.css';
import { isApex } from './dns-record.ts';

type Props = {
  orgId: string;
  pageId: string;
  /** The number of domains of the page, and the plan's limit; null: no limit. */
  used: number;
  limit: number | null;
  onAdded: (domain: CustomDomain) => void;
};

const REFUSED = ['invalid_request', 'reserved_domain', 'duplicate_domain'] as const;

/** Adds a domain, or says why the plan does not allow one more. */
export function AddDomain({ orgId, pageId, used, limit, onAdded }: Props) {
  const { t } = useTranslation();
  const params = { id: pageId };
  const form = useForm({
    initialValues: { domain: '' },
    validate: { domain: (value) => (value.trim() === '' ? t('pageDomains.nameNeeded') : null) },
  });
  const write = useWrite({
    show: atFields(form),
    words: (error) => {
      if (!(error instanceof ApiError)) return undefined;
      if (error.code === 'plan_limit') return t('pageDomains.full', { count: error.limit ?? 0 });
      const code = error.field === 'domain' ? REFUSED.find((each) => each === error.code) : undefined;
      return code === undefined ? undefined : t(`pageDomains.refused.${code}`);
    },
  });
  if (limit !== null && used >= limit)
    return (
      <PlanSentence
        orgId={orgId}
        text={limit === 0 ? t('pageDomains.noPlan') : t('pageDomains.full', { count: limit })}
      />
    );

  const add = ({ domain }: { domain: string }) =>
    write.run(() =>
      send(addDomain, { params, body: { domain: domain.trim() } }, (made) => {
        queryClient.setQueryData(read(listDomains, { params }).queryKey, (before) =>
          before === undefined ? before : [...before, made],
        );
        // The next one may have been begun.
        if (form.getValues().domain === domain) form.reset();
        onAdded(made);
      }),
    );
  const typed = form.values.domain.trim().toLowerCase().replace(/\.$/, '');
  const hint = limit === null ? null : t('pageDomains.room', { used, count: limit });
  return (
    <form className={styles.add} onSubmit={form.onSubmit((values) => void add(values))} noValidate>
      <Refused write={write} />
      <div className={styles.addLine}>
        <TextInput
          label={t('pageDomains.name')}
          description={`${t('pageDomains.nameHint')}${hint === null ? '' : ` ${hint}`}`}
          placeholder={t('pageDomains.namePlaceholder')}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          maxLength={1_000}
          {...form.getInputProps('domain')}
        />
        <Button
          className={styles.addButton}
          type="submit"
          leftSection={<IconPlus size={16} />}
          loading={write.busy}
        >
          {t('pageDomains.add')}
        </Button>
      </div>
      {isApex(typed) ? (
        <p className={styles.warning} role="status">
          {t('pageDomains.apex', { domain: typed })}
        </p>
      ) : null}
    </form>
  );
}
