import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconArchive, IconDots, IconExternalLink } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, Suspense, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { archiveStatusPage, type StatusPageDetail } from '#src/status-pages/contract.ts';
import { ApiError } from '#web/call.ts';
import { page as loadedPart } from '#web/page-code.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { SaveBar } from '#web/ui/SaveBar.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useDelete } from '#web/ui/use-delete.tsx';
import { useLeave } from '#web/ui/use-leave.ts';
import { send } from '#web/write.ts';
import { AccessBadge } from '../AccessBadge.tsx';
import { AccessPart } from '../access/AccessPart.tsx';
import { SharedPasswordPanel } from '../access/SharedPasswordPanel.tsx';
import { ViewersPanel } from '../access/ViewersPanel.tsx';
import { AppearancePart } from '../appearance/AppearancePart.tsx';
import { PageAddress } from '../PageAddress.tsx';
import { accessOf, isOnline, pageAddress } from '../page-access.ts';
import { Preview } from '../preview/Preview.tsx';
import { SubscribersPart } from '../subscribers/SubscribersPart.tsx';
import { GeneralPart } from './GeneralPart.tsx';
import { MonitorsPart } from './MonitorsPart.tsx';
import { PageMeanwhile } from './PageMeanwhile.tsx';
import { PartTabs } from './PartTabs.tsx';
import { partOfField } from './part-of-field.ts';
import { EDITOR_PARTS, type EditorPart } from './parts.ts';
import styles from './StatusPageEditor.module.css';
import { type Editor, usePageDraft } from './use-page-draft.ts';

/** Loaded lazily, since it contains the public suffix list. */
const DomainsPart = loadedPart(() => import('../domains/DomainsPart.tsx'), 'DomainsPart');

/** Wide enough for form and preview side by side, beside the navigation. */
const WIDE = '(min-width: 73.75em)';

/**
 * The editor of a status page, with its preview. The draft takes effect when it is saved; logos, passwords, viewers, domains and
 * subscribers change at once.
 */
export function StatusPageEditor({ orgId, detail }: { orgId: string; detail: StatusPageDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const search = useSearch({ from: '/signed-in/o/$orgId/status-pages/$pageId' });
  const editor = usePageDraft(detail);
  const formId = useId();
  const { page } = detail;
  const { error } = editor.write;
  const refusedAt = partOfField(error instanceof ApiError ? error.field : undefined);
  const incomplete = incompletePart(editor);
  const asked = search.part ?? 'general';
  const part = isWide && asked === 'preview' ? 'general' : asked;
  const parts = EDITOR_PARTS.filter((each) => !isWide || each !== 'preview');
  const go = (next: EditorPart) =>
    navigate({
      to: '/o/$orgId/status-pages/$pageId',
      params: { orgId, pageId: page.id },
      search: { part: next },
      replace: true,
    });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await editor.save()) notifications.show({ message: t('statusPages.saved') });
    else if (incomplete !== undefined) await go(incomplete);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal leads to its field once, and not again from elsewhere
  useEffect(() => {
    if (refusedAt !== undefined) void go(refusedAt);
  }, [error]);

  return (
    <>
      <PageHead
        title={page.name}
        above={
          <BackLink to="/o/$orgId/status-pages" params={{ orgId }}>
            {t('statusPages.title')}
          </BackLink>
        }
        below={
          <span className={styles.below}>
            <AccessBadge access={accessOf(page)} />
            <PageAddress page={page} isOpenedElsewhere />
          </span>
        }
      >
        <Actions orgId={orgId} detail={detail} />
      </PageHead>
      <PartTabs orgId={orgId} pageId={page.id} parts={parts} current={part} />
      <div className={styles.columns}>
        {part === 'preview' ? null : (
          <div className={styles.column}>
            <PageMeanwhile editor={editor} />
            <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
              {part === 'general' ? <GeneralPart editor={editor} /> : null}
              {part === 'monitors' ? <MonitorsPart editor={editor} /> : null}
              {part === 'look' ? <AppearancePart orgId={orgId} editor={editor} /> : null}
              {part === 'access' ? <AccessPart orgId={orgId} editor={editor} /> : null}
            </form>
            {/* Parts that save at once have their own forms, so they are outside this one. */}
            {part === 'access' ? <AccessKeys editor={editor} /> : null}
            {part === 'domains' ? (
              <Suspense fallback={<LoadingRows count={3} />}>
                <DomainsPart orgId={orgId} page={page} />
              </Suspense>
            ) : null}
            {part === 'subscribers' ? <SubscribersPart pageId={page.id} /> : null}
            <SaveBar
              isDirty={editor.isDirty}
              write={editor.write}
              isAtField={refusedAt === 'general'}
              form={formId}
              onDiscard={editor.discard}
            />
          </div>
        )}
        {isWide || part === 'preview' ? (
          <div className={styles.preview}>
            <Preview editor={editor} isWide={isWide} />
          </div>
        ) : null}
      </div>
      <UnsavedGuard isDirty={editor.isDirty} />
    </>
  );
}

/** The viewers, if viewers may open the page; the shared password, if it is asked for or still set. */
function AccessKeys({ editor: { detail, draft } }: { editor: Editor }) {
  const { page } = detail;
  const { mode } = draft.settings;
  return (
    <>
      {mode === 'viewer_login' ? <ViewersPanel pageId={page.id} /> : null}
      {mode === 'shared_password' || page.shared_password_set ? <SharedPasswordPanel page={page} /> : null}
    </>
  );
}

/** The first part with a problem. */
function incompletePart({ problems }: Editor): EditorPart | undefined {
  if (problems.name || problems.slug || problems.headerNav.size > 0) return 'general';
  return problems.mode ? 'access' : undefined;
}

function Actions({ orgId, detail: { page } }: { orgId: string; detail: StatusPageDetail }) {
  const { t } = useTranslation();
  const leave = useLeave();
  const deleteSoon = useDelete();

  /** Whoever has changes to save may stay; the page is archived only if they leave it. */
  async function archive() {
    const params = { id: page.id };
    if (await leave({ to: '/o/$orgId/status-pages', params: { orgId } }))
      deleteSoon({ ids: [page.id], name: page.name, send: () => send(archiveStatusPage, { params }) });
  }

  return (
    <>
      {isOnline(page) ? (
        <Button
          variant="default"
          leftSection={<IconExternalLink size={16} />}
          component="a"
          href={pageAddress(page.slug)}
          target="_blank"
          rel="noreferrer"
        >
          {t('statusPages.open')}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('statusPages.more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconArchive size={16} />} onClick={() => void archive()}>
            {t('statusPages.archive')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
