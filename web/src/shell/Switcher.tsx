import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listMyOrganizations } from '../../../src/organizations/contract.ts';
import { NewOrganization } from '../pages/organizations/NewOrganization.tsx';
import { read } from '../read.ts';
import { chooseProject, useChosenProject, useOrgId } from './chosen-project.ts';
import { useMayManage } from './my-role.ts';
import styles from './Switcher.module.css';

/** Organization and project in one place: what the pages are about, and the way to another. */
export function Switcher() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { projects, project } = useChosenProject();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const organization = organizations.data?.find((each) => each.id === orgId);
  const mayManage = useMayManage();
  const [creating, creation] = useDisclosure(false);

  function openProject(id: string) {
    chooseProject(orgId, id);
    void navigate({ to: '/o/$orgId/monitors', params: { orgId }, search: { project: id } });
  }

  return (
    <>
      <Menu width={260} position="bottom-start" shadow="md">
        <Menu.Target>
          <UnstyledButton className={styles.button} aria-label={t('shell.switch')}>
            <span className={styles.words}>
              <span className={styles.organization}>{organization?.name ?? ' '}</span>
              <span className={styles.project}>{project?.name ?? t('shell.noProject')}</span>
            </span>
            <IconSelector size={16} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('shell.projects')}</Menu.Label>
          {projects.map((each) => (
            <Menu.Item
              key={each.id}
              onClick={() => openProject(each.id)}
              rightSection={
                each.id === project?.id ? <IconCheck size={15} aria-label={t('shell.current')} /> : null
              }
            >
              {each.name}
            </Menu.Item>
          ))}
          <Menu.Item
            leftSection={<IconSettings size={15} />}
            onClick={() => void navigate({ to: '/o/$orgId/projects', params: { orgId } })}
          >
            {t(mayManage ? 'shell.manageProjects' : 'shell.allProjects')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('shell.organizations')}</Menu.Label>
          {(organizations.data ?? []).map((each) => (
            <Menu.Item
              key={each.id}
              onClick={() => void navigate({ to: '/o/$orgId/monitors', params: { orgId: each.id } })}
              rightSection={
                each.id === orgId ? <IconCheck size={15} aria-label={t('shell.current')} /> : null
              }
            >
              {each.name}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconPlus size={15} />} onClick={creation.open}>
            {t('shell.newOrganization')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NewOrganization opened={creating} onClose={creation.close} />
    </>
  );
}
