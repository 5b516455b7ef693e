import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type CustomDomain, listDomains, verifyDomain } from '#src/status-pages/domains/contract.ts';
import { useFormats } from '#web/format.ts';
import { queryClient, read } from '#web/read.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './DomainItem.module.css';
import { stateWords } from './state-words.ts';

/** Verifies the record at once; name servers may take seconds. */
export function VerifyNow({ pageId, domain }: { pageId: string; domain: CustomDomain }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const write = useWrite<{ atUnix: number; words: string }>();
  const params = { id: pageId };
  const verify = () =>
    write.run(async () => {
      const looked = await send(verifyDomain, { params: { ...params, domain_id: domain.id } }, (reply) =>
        queryClient.setQueryData(read(listDomains, { params }).queryKey, (before) =>
          before?.map((each) => (each.id === reply.id ? reply : each)),
        ),
      );
      return { atUnix: Date.now() / 1_000, words: stateWords(t, looked).title };
    });
  return (
    <div className={styles.verify}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconRefresh size={15} />}
        loading={write.busy}
        onClick={() => void verify()}
      >
        {t('pageDomains.verify')}
      </Button>
      <span className={styles.looked} role="status">
        {write.reply === undefined || write.busy ? null : (
          <>
            {t('pageDomains.looked', { time: formats.clock(write.reply.atUnix) })}{' '}
            {/* Sighted users read it above. */}
            <span className="visually-hidden">{write.reply.words}</span>
          </>
        )}
      </span>
      <Refused write={write} />
    </div>
  );
}
