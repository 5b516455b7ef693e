import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconList, IconPlus, IconSelector, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { ROLES } from '#src/domain/names.ts';

import { listMyOrganizations } from '#src/organizations/contract.ts';
import { NewOrganization } from '../pages/organizations/NewOrganization.tsx';
import { read } from '../read.ts';
import { EMPTY_LINE } from '../ui/empty-line.ts';
import { chooseProject, useChosenProject, useOrgId } from './chosen-project.ts';
import { useMayManage } from './my-role.ts';
import styles from './Switcher.module.css';

/** With more projects and organizations than this, the switcher has a search. */
const SCANNED = 7;

/** Switches between organizations and projects. */
export function Switcher() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { query, projects, project } = useChosenProject();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const mine = organizations.data ?? [];
  const organization = mine.find((each) => each.id === orgId);
  const mayManage = useMayManage();
  const [creating, creation] = useDisclosure(false);
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const matches = ({ name }: { name: string }) => name.toLowerCase().includes(wanted);
  const isSearched = mine.length > SCANNED || projects.length > SCANNED;
  const foundProjects = projects.filter(matches);
  const foundOrganizations = mine.filter(matches);

  function openProject(id: string) {
    chooseProject(orgId, id);
    void navigate({ to: '/o/$orgId/monitors', params: { orgId }, search: { project: id } });
  }

  const projectName = project?.name ?? (query.isPending ? EMPTY_LINE : t('shell.noProject'));
  const names = `${isolated(organization?.name ?? '')} ${isolated(projectName)}`;
  const current = <IconCheck size={15} aria-label={t('shell.current')} />;
  return (
    <>
      <Menu width={280} position="bottom-start" shadow="md">
        <Menu.Target>
          <UnstyledButton
            className={styles.button}
            data-lead="switcher"
            aria-label={`${t('shell.switch')}: ${names}`}
          >
            <span className={styles.words}>
              <span className={styles.organization}>{organization?.name ?? EMPTY_LINE}</span>{' '}
              <span className={styles.project}>{projectName}</span>
            </span>
            <IconSelector size={16} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {isSearched ? (
            <Menu.Search
              className={styles.search}
              aria-label={t('shell.search')}
              placeholder={t('shell.search')}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : null}
          <div className={styles.list}>
            {foundProjects.length === 0 && wanted !== '' ? null : (
              <Menu.Label>{t('shell.projects')}</Menu.Label>
            )}
            {foundProjects.map((each) => (
              <Menu.Item
                key={each.id}
                onClick={() => openProject(each.id)}
                rightSection={each.id === project?.id ? current : null}
              >
                <span className={styles.item}>{each.name}</span>
              </Menu.Item>
            ))}
            {wanted === '' && projects.length > 1 ? (
              <Menu.Item
                leftSection={<IconList size={15} />}
                onClick={() => void navigate({ to: '/o/$orgId/monitors/all', params: { orgId } })}
              >
                {t('allMonitors.open')}
              </Menu.Item>
            ) : null}
            {wanted === '' ? (
              <Menu.Item
                leftSection={<IconSettings size={15} />}
                onClick={() => void navigate({ to: '/o/$orgId/projects', params: { orgId } })}
              >
                {t(mayManage ? 'shell.manageProjects' : 'shell.allProjects')}
              </Menu.Item>
            ) : null}
            {foundProjects.length > 0 || wanted === '' ? <Menu.Divider /> : null}
            {foundOrganizations.length === 0 ? null : <Menu.Label>{t('shell.organizations')}</Menu.Label>}
            {foundOrganizations.map(({ id, name, role }) => (
              <Menu.Item
                key={id}
                onClick={() => void navigate({ to: '/o/$orgId/overview', params: { orgId: id } })}
                rightSection={
                  <span className={styles.right}>
                    <Role role={role} />
                    {id === orgId ? current : null}
                  </span>
                }
              >
                <span className={styles.item}>{name}</span>
              </Menu.Item>
            ))}
            {foundProjects.length + foundOrganizations.length === 0 && wanted !== '' ? (
              <p className={styles.none}>{t('shell.nothingFound')}</p>
            ) : null}
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={15} />} onClick={creation.open}>
            {t('shell.newOrganization')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NewOrganization opened={creating} onClose={creation.close} />
    </>
  );
}

function Role({ role }: { role: string | null }) {
  const { t } = useTranslation();
  const known = ROLES.find((each) => each === role);
  return known === undefined ? null : <span className={styles.role}>{t(`roles.${known}`)}</span>;
}
