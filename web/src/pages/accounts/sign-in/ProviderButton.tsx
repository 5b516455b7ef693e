import { Button } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { signInWithProvider } from '#web/session.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';

/** Redirects to the OIDC provider, which returns to `back`, or to the sign-in page with an error code. */
export function ProviderButton({ name, back }: { name: string; back: string | undefined }) {
  const { t } = useTranslation();
  const write = useWrite();
  const leave = () => {
    const retry = back === undefined ? '' : `?${new URLSearchParams({ back })}`;
    return signInWithProvider(`/app${back ?? '/'}`, `/app/sign-in${retry}`);
  };
  return (
    <>
      <Refused write={write} />
      <Button
        variant="default"
        size="md"
        leftSection={<IconLogin2 size={18} stroke={1.7} />}
        loading={write.busy}
        disabled={write.waitSeconds > 0}
        onClick={() => void write.run(leave)}
      >
        {t('accounts.continueWith', { name })}
      </Button>
    </>
  );
}
