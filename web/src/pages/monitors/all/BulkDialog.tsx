import { Button, Modal, SegmentedControl, Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listAlertProfiles } from '#src/alarm-policy/contract.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { useWrite } from '#web/use-write.ts';
import own from './BulkDialog.module.css';
import type { Change } from './shown-as.ts';
import { useAllMonitors } from './use-all-monitors.ts';

export type Dialog = 'tags' | 'profile' | 'move' | 'delete';

type Props = {
  dialog: Dialog | null;
  chosen: readonly ListedMonitor[];
  act: (change: Change) => Promise<void>;
  onClose: () => void;
};

const LABEL_PX = 30;
/** How many tags a click can choose; the others are found by typing. */
const OFFERED = 12;
/** How many names a deletion lists; the others are counted. */
const NAMED = 8;

/** Asks for the input of a bulk change. */
export function BulkDialog({ dialog, chosen, act, onClose }: Props) {
  const { t } = useTranslation();
  const count = chosen.length;
  return (
    <>
      {dialog === 'tags' ? <TagsDialog chosen={chosen} act={act} onClose={onClose} /> : null}
      {dialog === 'profile' ? <ProfileDialog count={count} act={act} onClose={onClose} /> : null}
      {dialog === 'move' ? <MoveDialog count={count} act={act} onClose={onClose} /> : null}
      <Confirm
        opened={dialog === 'delete'}
        title={t('allMonitors.deleteThem', { count })}
        text={t('allMonitors.deleteText')}
        confirm={t('ui.delete')}
        onConfirm={() => act({ action: 'delete' })}
        onClose={onClose}
      >
        <ul>
          {chosen.slice(0, NAMED).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {count > NAMED ? <li>{t('allMonitors.andMore', { count: count - NAMED })}</li> : null}
        </ul>
      </Confirm>
    </>
  );
}

type FormProps = {
  title: string;
  confirm: string;
  change: Change | null;
  act: Props['act'];
  onClose: () => void;
  /** The effect shows at once, so the dialog closes meanwhile; if the server refuses, it reopens with its values. */
  isShownAtOnce?: boolean;
  children: ReactNode;
};

/** A dialog with one choice; null: nothing is chosen yet. */
function Form({ title, confirm, change, act, onClose, isShownAtOnce = false, children }: FormProps) {
  const { t } = useTranslation();
  const close = useWhileShown(onClose);
  const write = useWrite();
  return (
    <Modal
      opened={!(isShownAtOnce && write.busy)}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (change !== null) void write.run(() => act(change)).then((done) => done && close());
        }}
      >
        {children}
        <Refused write={write} />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" disabled={change === null} loading={write.busy}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function TagsDialog({ chosen, act, onClose }: Pick<Props, 'chosen' | 'act' | 'onClose'>) {
  const { t } = useTranslation();
  const [action, setAction] = useState<'add_tags' | 'remove_tags'>('add_tags');
  const [tags, setTags] = useState<string[]>([]);
  const { data: all = [] } = useAllMonitors(useOrgId());
  const of = action === 'add_tags' ? all : chosen;
  const known = [...new Set(of.flatMap((monitor) => monitor.tags))].sort((a, b) => a.localeCompare(b));
  const offered = known.filter((tag) => !tags.includes(tag)).slice(0, OFFERED);
  return (
    <Form
      title={t('allMonitors.tagsOf', { count: chosen.length })}
      confirm={t(`allMonitors.${action}`)}
      change={tags.length === 0 ? null : { action, tags }}
      isShownAtOnce
      act={act}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('allMonitors.tags')}
        value={action}
        onChange={(value) => setAction(value as typeof action)}
        data={(['add_tags', 'remove_tags'] as const).map((value) => ({
          value,
          label: t(`allMonitors.${value}`),
        }))}
      />
      <TagsInput
        label={t('allMonitors.tags')}
        description={t('form.tagsHint')}
        // A list that opens with the dialog would cover what is above the field, and below it the buttons.
        openOnFocus={false}
        comboboxProps={{ position: 'top', offset: LABEL_PX }}
        data={known}
        value={tags}
        onChange={setTags}
        acceptValueOnBlur
        data-autofocus
      />
      {offered.length === 0 ? null : (
        <fieldset className={own.known}>
          <legend>{t(action === 'add_tags' ? 'allMonitors.tagsInUse' : 'allMonitors.tagsOfThese')}</legend>
          {offered.map((tag) => (
            <Button
              key={tag}
              size="compact-xs"
              variant="default"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setTags([...tags, tag])}
            >
              {tag}
            </Button>
          ))}
        </fieldset>
      )}
    </Form>
  );
}

type Choice = { count: number } & Pick<Props, 'act' | 'onClose'>;

function ProfileDialog({ count, act, onClose }: Choice) {
  const { t } = useTranslation();
  const [profile, setProfile] = useState<string | null>(null);
  const profiles = useQuery(read(listAlertProfiles, { params: { org_id: useOrgId() }, query: MAX_PAGE }));
  return (
    <Form
      title={t('allMonitors.profileOf', { count })}
      confirm={t('ui.save')}
      change={{ action: 'set_profile', alert_profile_id: profile }}
      act={act}
      onClose={onClose}
    >
      <Select
        label={t('allMonitors.profile')}
        placeholder={t('allMonitors.noProfile')}
        clearable
        value={profile}
        data={(profiles.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setProfile}
      />
    </Form>
  );
}

function MoveDialog({ count, act, onClose }: Choice) {
  const { t } = useTranslation();
  const { projects } = useChosenProject();
  const [project, setProject] = useState<string | null>(null);
  return (
    <Form
      title={t('allMonitors.moveOf', { count })}
      confirm={t('allMonitors.move')}
      change={project === null ? null : { action: 'move', project_id: project }}
      act={act}
      onClose={onClose}
    >
      <Select
        label={t('allMonitors.project')}
        description={t('allMonitors.moveHint')}
        searchable
        value={project}
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setProject}
      />
    </Form>
  );
}
