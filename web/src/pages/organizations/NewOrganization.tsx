import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { OrganizationForm } from './OrganizationForm.tsx';

export function NewOrganization({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('organizations.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <OrganizationForm onDone={onClose} />
    </Modal>
  );
}
