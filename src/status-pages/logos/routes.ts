import { type Route, raw, write } from '#src/platform/http/route.ts';
import { notFound } from '#src/platform/refusals.ts';
import * as contract from '../logo-contract.ts';
import { LOGO_HEADERS, readLogo } from '../public/logos.ts';
import { checkedImage } from './check-image.ts';
import { type Ground, removeLogo, setLogo } from './set-logo.ts';

const setting = (operation: typeof contract.setLogo | typeof contract.setLogoDark, ground: Ground): Route =>
  write(operation, async ({ params, request }, work) => {
    await setLogo(work, params.id, ground, checkedImage(request.body));
    return undefined;
  });

const removing = (
  operation: typeof contract.deleteLogo | typeof contract.deleteLogoDark,
  ground: Ground,
): Route =>
  write(operation, async ({ params }, work) => {
    await removeLogo(work, params.id, ground);
    return undefined;
  });

/** For members: visitors have an address of their own for it while the page is public. */
const showing = (
  operation: typeof contract.getLogo | typeof contract.getLogoDark,
  ground: Ground,
): Route => ({
  ...raw(operation, async ({ db, params, reply }) => {
    const logo = (await readLogo(db, params.id, ground)) ?? notFound('logo');
    return reply.headers(LOGO_HEADERS).type(logo.type).send(logo.body);
  }),
  held: false,
});

export const logoRoutes: Route[] = [
  showing(contract.getLogo, 'light'),
  showing(contract.getLogoDark, 'dark'),
  setting(contract.setLogo, 'light'),
  removing(contract.deleteLogo, 'light'),
  setting(contract.setLogoDark, 'dark'),
  removing(contract.deleteLogoDark, 'dark'),
];
