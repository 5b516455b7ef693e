// The routes of status pages and of their editor, one for each part.
import { createRoute } from '@tanstack/react-router';
import { page } from '../page-code.ts';
import { type EditorPart, readEditorPart } from '../pages/status-pages/editor/parts.ts';
import { managementRoute, organization } from './parents.ts';
import { onlyFrom } from './search.ts';

const statusPages = createRoute({
  getParentRoute: () => organization,
  path: '/status-pages',
  component: page(() => import('../pages/status-pages/StatusPagesPage.tsx')),
});

const statusPage = createRoute({
  getParentRoute: () => organization,
  path: '/status-pages/$pageId',
  validateSearch: onlyFrom((search: Record<string, unknown>): { part?: EditorPart } => {
    const part = readEditorPart(search.part);
    return part === undefined ? {} : { part };
  }),
  component: page(() => import('../pages/status-pages/StatusPagePage.tsx')),
});

/** Below the routes for people who manage projects. */
export const newStatusPage = createRoute({
  getParentRoute: () => managementRoute,
  path: '/status-pages/new',
  component: page(() => import('../pages/status-pages/NewStatusPagePage.tsx')),
});

export const statusPageRoutes = [statusPages, statusPage] as const;
