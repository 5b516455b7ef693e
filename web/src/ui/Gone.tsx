import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from './Empty.tsx';
import { hasJustVanished } from './vanished-form.ts';

/** Instead of what a page is about: it does not exist, and changes of it that were not saved are lost. */
export function Gone({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const [isLost, setLost] = useState(false);
  useEffect(() => setLost((was) => was || hasJustVanished()), []);
  return (
    <Empty title={title} text={t(isLost ? 'ui.goneUnsaved' : 'ui.goneText')}>
      {children}
    </Empty>
  );
}
