import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listMonitors } from '#src/monitors/contract.ts';
import { createProject, deleteProject, type Project } from '#src/projects/contract.ts';
import { call } from '#web/call.ts';
import { chooseProject, useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { useDelete } from '#web/ui/use-delete.tsx';
import { useWithoutDeleted } from '#web/undoable.ts';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProjectsPage.module.css';
import { RenameProject } from './RenameProject.tsx';

export default function ProjectsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { query, projects } = useChosenProject();
  const mayManage = useMayManage();
  const staying = useWithoutDeleted(projects);
  const deleteSoon = useDelete();

  async function remove({ id, name }: Project) {
    const params = { project_id: id };
    // Refuses at once what the server would refuse at the end; if that cannot be determined, the server decides.
    const monitors = await call(listMonitors, { params, query: { limit: 1 } }).catch(() => []);
    if (monitors.length > 0) notifications.show({ color: 'red', message: t('projects.notEmpty', { name }) });
    else deleteSoon({ ids: [id], name, send: () => send(deleteProject, { params }) });
  }

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
        {staying.map((project) => (
          <ProjectRow
            key={project.id}
            project={project}
            onDelete={mayManage ? () => remove(project) : undefined}
          />
        ))}
      </ul>
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
      // The name of the next one may have been begun.
      if (form.getValues().name === name) form.reset();
    });

  return (
    <form
      className={styles.create}
      data-lead="new-project"
      onSubmit={form.onSubmit(({ name }) => void submit(name))}
      noValidate
    >
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
function ProjectRow({
  project,
  onDelete,
}: {
  project: Project;
  onDelete: (() => Promise<void>) | undefined;
}) {
  const { t } = useTranslation();
  const [isRenaming, setRenaming] = useState(false);
  const asking = useWrite<void>();
  if (isRenaming)
    return (
      <li className={styles.row}>
        <RenameProject project={project} onDone={() => setRenaming(false)} />
      </li>
    );
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
            onClick={() => setRenaming(true)}
          >
            <IconPencil size={17} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('projects.delete', { name: project.name })}
            loading={asking.busy}
            onClick={() => void asking.run(onDelete)}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </>
      )}
    </li>
  );
}
