// Browser-safe. Logos of a status page (docs/rules/status-pages.md#logos).
import { operation } from '../platform/contract.ts';
import { StatusPageParams } from './contract.ts';

const LOGO = {
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  status: 204,
} as const;

/** The most bytes of a logo. */
export const LOGO_BYTES = 512 * 1024;

/** Any member may read it, even if the page is not public. */
const SHOWN = {
  ...LOGO,
  right: 'member',
  scope: 'status-pages:read',
  method: 'GET',
  status: 200,
  produces: 'image/*',
} as const;

const BODY = { consumes: 'image/*', bodyLimit: LOGO_BYTES, refusals: [413, 415] } as const;

export const getLogo = operation({
  ...SHOWN,
  id: 'getStatusPageLogo',
  path: '/status-pages/{id}/logo',
  summary: 'The logo as it was uploaded; 404 if there is none',
});

export const getLogoDark = operation({
  ...SHOWN,
  id: 'getStatusPageLogoDark',
  path: '/status-pages/{id}/logo-dark',
  summary: 'The logo for dark backgrounds as it was uploaded; 404 if there is none',
});

export const setLogo = operation({
  ...LOGO,
  ...BODY,
  id: 'setStatusPageLogo',
  method: 'PUT',
  path: '/status-pages/{id}/logo',
  summary: 'Set the logo: the bytes of a PNG, JPEG, WebP or SVG image, at most 512 KiB and 4 megapixels',
});

export const deleteLogo = operation({
  ...LOGO,
  id: 'deleteStatusPageLogo',
  method: 'DELETE',
  path: '/status-pages/{id}/logo',
  summary: 'Remove the logo',
});

export const setLogoDark = operation({
  ...LOGO,
  ...BODY,
  id: 'setStatusPageLogoDark',
  method: 'PUT',
  path: '/status-pages/{id}/logo-dark',
  summary: 'Set the logo on dark ground, as the logo',
});

export const deleteLogoDark = operation({
  ...LOGO,
  id: 'deleteStatusPageLogoDark',
  method: 'DELETE',
  path: '/status-pages/{id}/logo-dark',
  summary: 'Remove the logo on dark ground',
});
