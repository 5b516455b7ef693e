import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createProject, deleteProject, type Project, renameProject } from '#src/projects/contract.ts';
import { chooseProject, useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { ConfirmByName } from '#web/ui/ConfirmByName.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { atField, inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProjectsPage.module.css';

export default function ProjectsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { query, projects } = useChosenProject();
  const mayManage = useMayManage();
  const [deleting, setDeleting] = useState<Project | null>(null);

  return (
    <>
      <PageHead title={t('projects.title')} below={t('projects.lead')}>
        {mayManage ? undefined : <ReadOnly />}
      </PageHead>
      {mayManage ? <NewProject orgId={orgId} /> : null}
      {query.isPending ? <LoadingRows count={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={query.refetch} /> : null}
      {query.isSuccess && projects.length === 0 ? <Empty title={t('projects.none')} /> : null}
      <ul className={styles.list}>
        {projects.map((project) => (
          <ProjectRow
            key={project.id}
            project={project}
            onDelete={mayManage ? () => setDeleting(project) : undefined}
          />
        ))}
      </ul>
      <ConfirmByName
        opened={deleting !== null}
        title={t('projects.deleteTitle')}
        text={t('projects.deleteText')}
        name={deleting?.name ?? ''}
        confirm={t('ui.delete')}
        onConfirm={async () => {
          if (deleting !== null) await send(deleteProject, { params: { project_id: deleting.id } });
        }}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

function NewProject({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { name: '' } });
  const write = useWrite({ show: atField(form, 'name') });

  const submit = (name: string) =>
    write.run(async () => {
      const made = await send(createProject, { params: { org_id: orgId }, body: { name: name.trim() } });
      chooseProject(orgId, made.id);
      form.reset();
    });

  return (
    <form className={styles.create} onSubmit={form.onSubmit(({ name }) => void submit(name))} noValidate>
      <TextInput
        className={styles.grow}
        label={t('projects.new')}
        placeholder={t('projects.namePlaceholder')}
        {...form.getInputProps('name')}
      />
      <Button
        className={styles.button}
        type="submit"
        loading={write.busy}
        disabled={form.values.name.trim() === ''}
      >
        {t('projects.create')}
      </Button>
    </form>
  );
}

/** Without `onDelete` the project can only be opened. */
function ProjectRow({ project, onDelete }: { project: Project; onDelete: (() => void) | undefined }) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const [name, setName] = useState<string | null>(null);

  const rename = (wanted: string) =>
    write.run(async () => {
      await send(renameProject, { params: { project_id: project.id }, body: { name: wanted.trim() } });
      setName(null);
    });

  if (name !== null) {
    return (
      <li className={styles.row}>
        <form
          className={styles.rename}
          onSubmit={(event) => {
            event.preventDefault();
            void rename(name);
          }}
        >
          <TextInput
            className={styles.grow}
            aria-label={t('projects.name')}
            autoFocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => (event.key === 'Escape' ? setName(null) : undefined)}
          />
          <Button type="submit" loading={write.busy} disabled={name.trim() === ''}>
            {t('ui.save')}
          </Button>
          <Button variant="default" onClick={() => setName(null)}>
            {t('ui.cancel')}
          </Button>
        </form>
      </li>
    );
  }
  return (
    <li className={styles.row}>
      <Link
        className={styles.name}
        to="/o/$orgId/monitors"
        params={{ orgId: project.organization_id }}
        search={{ project: project.id }}
      >
        {project.name}
      </Link>
      <span className={`mono ${styles.slug}`}>{project.slug}</span>
      {onDelete === undefined ? null : (
        <>
          <ActionIcon
            aria-label={t('projects.rename', { name: project.name })}
            onClick={() => setName(project.name)}
          >
            <IconPencil size={17} />
          </ActionIcon>
          <ActionIcon aria-label={t('projects.delete', { name: project.name })} onClick={onDelete}>
            <IconTrash size={17} />
          </ActionIcon>
        </>
      )}
    </li>
  );
}
