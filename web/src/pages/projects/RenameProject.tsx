import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listProjects, type Project, renameProject } from '#src/projects/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { MAX_PAGE, queryClient, read } from '#web/read.ts';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './ProjectsPage.module.css';

type Props = { project: Project; onDone: () => void };

/** The name of a project, to be changed in its row. */
export function RenameProject({ project, onDone }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const close = useWhileShown(onDone);
  const [name, setName] = useState(project.name);
  const written = { name: name.trim() };
  const meanwhile = useMeanwhile({ name: project.name }, written, (values) => setName(values.name));

  /** Renames it, unless somebody else has. */
  async function rename() {
    const all = read(listProjects, { params: { org_id: project.organization_id }, query: MAX_PAGE });
    const projects = await queryClient.fetchQuery({ ...all, staleTime: 0 });
    const now = projects.find(({ id }) => id === project.id);
    if (now === undefined) {
      inNote({ sentence: t('meanwhile.deleted', { name: project.name }) });
      return close();
    }
    if (!meanwhile.admits(written, { name: now.name })) return;
    if (written.name !== meanwhile.base.name)
      await send(renameProject, { params: { project_id: project.id }, body: written });
    close();
  }

  return (
    <form
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault();
        void write.run(rename);
      }}
    >
      <ChangedMeanwhile
        clashes={meanwhile.clashes}
        stopped={meanwhile.stopped}
        labelOf={() => t('projects.name')}
        onSettle={meanwhile.settle}
      />
      <TextInput
        className={styles.grow}
        aria-label={t('projects.name')}
        autoFocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => (event.key === 'Escape' ? onDone() : undefined)}
      />
      <Button type="submit" loading={write.busy} disabled={written.name === ''}>
        {t('ui.save')}
      </Button>
      <Button variant="default" onClick={onDone}>
        {t('ui.cancel')}
      </Button>
    </form>
  );
}
