import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Fragment, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TagChoice } from '#web/pages/monitors/all/TagChoice.tsx';
import { useOrganizationMonitors } from '#web/pages/monitors/form/use-organization-monitors.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { useDragOrder } from '#web/ui/use-drag-order.ts';
import { AddMonitors } from './AddMonitors.tsx';
import { GroupRow } from './GroupRow.tsx';
import { MonitorDetails } from './MonitorDetails.tsx';
import { MonitorRow } from './MonitorRow.tsx';
import styles from './MonitorsPart.module.css';
import {
  added,
  changed,
  groupOf,
  groupsOf,
  moveByOne,
  moveGroup,
  moveToGroup,
  moveToPlaceOf,
  renameGroup,
  type ShownMonitor,
  withSameDisplay,
} from './monitor-list.ts';
import type { Editor } from './use-page-draft.ts';

/** The monitors of the page: their order, groups and details. */
export function MonitorsPart({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const { projects } = useOrganizationMonitors();
  const [adding, setAdding] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  // The last move, announced to screen readers.
  const [said, setSaid] = useState('');
  const { monitors: list, settings } = editor.draft;
  const set = editor.setMonitors;
  const drag = useDragOrder(list, move);
  const groups = groupsOf(list);
  const names = useMemo(
    () => new Map(projects.flatMap(({ monitors }) => monitors.map(({ id, name }) => [id, name] as const))),
    [projects],
  );
  const nameOf = (item: ShownMonitor) => names.get(item.id) ?? item.name ?? item.displayName;
  const labelOf = (item: ShownMonitor) => item.displayName.trim() || nameOf(item);

  /** Moves a monitor, and announces its new place. */
  function move(id: string, next: ShownMonitor[]) {
    set(next);
    const item = next.find((each) => each.id === id);
    if (item === undefined) return;
    const group = next.filter((each) => groupOf(each) === groupOf(item));
    setSaid(
      t('statusPages.monitors.moved', {
        name: labelOf(item),
        place: group.indexOf(item) + 1,
        count: group.length,
        group: groupOf(item),
      }),
    );
  }

  function stepGroup(group: string, by: -1 | 1) {
    const next = moveGroup(list, group, by);
    set(next);
    const all = groupsOf(next);
    const place = all.indexOf(group) + 1;
    setSaid(t('statusPages.monitors.groupMoved', { name: group, place, count: all.length }));
  }

  function rename(group: string, name: string) {
    set(renameGroup(list, group, name));
    const { collapsed } = settings;
    if (collapsed.includes(group))
      editor.change({ collapsed: [...new Set(collapsed.map((each) => (each === group ? name : each)))] });
  }

  return (
    <Panel
      title={t('statusPages.parts.monitors')}
      flush
      aside={
        <Button
          variant={list.length === 0 ? 'filled' : 'default'}
          size="xs"
          leftSection={<IconPlus size={15} />}
          onClick={() => setAdding(true)}
        >
          {t('statusPages.monitors.add')}
        </Button>
      }
    >
      {list.length === 0 ? <p className={styles.none}>{t('statusPages.monitors.noneText')}</p> : null}
      <ul className={styles.list} aria-label={t('statusPages.parts.monitors')}>
        {list.map((item, at) => {
          const group = groupOf(item);
          const isFirst = at === 0 || groupOf(list[at - 1] ?? item) !== group;
          return (
            <Fragment key={item.id}>
              {isFirst ? (
                <GroupRow
                  // A renamed group keeps its row, and the focus in it.
                  key={`group of ${item.id}`}
                  name={group}
                  isFirst={group === groups[0]}
                  isLast={group === groups.at(-1)}
                  isCollapsed={settings.collapsed.includes(group)}
                  onRename={(name) => rename(group, name)}
                  onMove={(by) => stepGroup(group, by)}
                  onCollapse={(isCollapsed) =>
                    editor.change({
                      collapsed: isCollapsed
                        ? [...settings.collapsed, group]
                        : settings.collapsed.filter((each) => each !== group),
                    })
                  }
                />
              ) : null}
              <MonitorRow
                item={item}
                label={labelOf(item)}
                name={nameOf(item)}
                isFirst={at === 0}
                isLast={at === list.length - 1}
                isOpened={opened === item.id}
                isDragged={drag.dragged === item.id}
                onOpen={() => setOpened(opened === item.id ? null : item.id)}
                onDragStart={(event) => drag.start(event, item.id, labelOf(item))}
                onDragEnd={drag.end}
                onDragOver={(isBelowMiddle) => {
                  const { dragged } = drag;
                  if (dragged === null || dragged === item.id) return;
                  const from = list.findIndex(({ id }) => id === dragged);
                  // Only past the middle: otherwise rows of different heights would swap for ever.
                  if (from < at === isBelowMiddle) move(dragged, moveToPlaceOf(list, dragged, item.id));
                }}
                onMove={(by) => move(item.id, moveByOne(list, item.id, by))}
                onRemove={() => {
                  set(list.filter(({ id }) => id !== item.id));
                  setSaid(t('statusPages.monitors.removed', { name: labelOf(item) }));
                }}
              >
                <MonitorDetails
                  item={item}
                  name={nameOf(item)}
                  groups={groups}
                  isAlone={list.length === 1}
                  onChange={(change) => set(changed(list, item.id, change))}
                  onGroup={(name) => move(item.id, moveToGroup(list, item.id, name))}
                  onApplyToAll={() => set(withSameDisplay(list, item))}
                />
              </MonitorRow>
            </Fragment>
          );
        })}
      </ul>
      <span className="visually-hidden" aria-live="assertive">
        {said}
      </span>
      <div className={styles.tags}>
        <TagChoice
          label={t('statusPages.monitors.tags')}
          description={t('statusPages.monitors.tagsHint')}
          tags={editor.draft.tags}
          named={list.map(({ id }) => id)}
          error={editor.write.at('tags')}
          onChange={editor.setTags}
        />
      </div>
      <AddMonitors
        opened={adding}
        shown={list}
        onAdd={(ids) => {
          const chosen = projects.flatMap(({ project, monitors }) =>
            monitors.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, name, project })),
          );
          set(added(list, chosen));
        }}
        onClose={() => setAdding(false)}
      />
    </Panel>
  );
}
