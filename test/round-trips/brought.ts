// What an import of the configuration of an organization makes of it.
import type { ConfigurationFile } from '#src/configuration-apply/contract.ts';
import type { ImportReport } from '#src/configuration-import/contract.ts';
import type { Roster } from '#src/on-call/contract.ts';
import { sorted } from './files.ts';
import type { Scene } from './scene.ts';

/** A file leaves out a roster in which somebody has no place any more; an import closes the gap, and says so. */
export async function withRoster(
  { by, at }: Scene,
  file: ConfigurationFile,
  { things }: ImportReport,
): Promise<ConfigurationFile> {
  if (!things.some(({ kind, notes }) => kind === 'on_call_roster' && notes.includes('people_left_out')))
    return file;
  const people = await by.ok<{ user_id: string; email: string }[]>('GET', `${at}/members`);
  const { members } = await by.ok<Roster>('GET', `${at}/on-call/members`);
  const roster = members.map(({ user_id }) => people.find((each) => each.user_id === user_id)?.email ?? '');
  return { ...file, on_call: { ...file.on_call, roster } };
}

/** Without what an import leaves for a person to decide (docs/rules/access.md#an-organization-as-a-file). */
export function asBrought({
  organization: _,
  webhooks,
  status_pages: pages,
  ...file
}: ConfigurationFile): unknown {
  return sorted({
    ...file,
    webhooks: webhooks?.map(({ active: _active, ...rest }) => rest),
    status_pages: pages?.map(
      ({ access_mode: _mode, hide_platform_brand: _brand, slug: _slug, ...rest }) => rest,
    ),
  });
}
