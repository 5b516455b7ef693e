// `tocsin serve`.
import { serve } from '#src/supervise/serve.ts';
import { rolesIn } from '../roles-in.ts';

export const run = ({ roles }: { roles?: string }): Promise<number> =>
  serve(roles === undefined ? {} : { roles: rolesIn(roles) });
