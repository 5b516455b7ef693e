// What people come for in the settings, in their account, at the operator's pages and where they sign in (view-acts.ts).
import assert from 'node:assert/strict';
import { ADMIN } from '#test/harness/installation.ts';
import { type Act, hasName, type Named, type View } from '#test/harness/view.ts';

/**
 * In the list of the field that has the focus: the one before the present one. The list marks its first option when it opens, and
 * the present one a moment later; an arrow pressed between both would lead elsewhere.
 */
async function chooseOneBefore({ page, press }: View): Promise<void> {
  const marked = '[role=option][data-combobox-selected]';
  await press('ArrowDown');
  await page.locator(`${marked}[data-combobox-active]`).waitFor();
  await press('ArrowUp');
  await page.locator(`${marked}:not([data-combobox-active])`).waitFor();
  await press('Enter');
}

export const ACCOUNT_AND_OPERATOR: Record<string, Act> = {
  '/account': async (view) => {
    await view.write('Name', 'Ada\n');
    await view.said('Your name is saved.');
    assert.equal((await view.read<Named>('/me')).name, 'Ada');
  },
  '/operator': async (view) => {
    await view.to('searchbox', 'Search by name or slug');
    await view.page.keyboard.type('example');
    await view.to('combobox', 'Plan of Example');
    await chooseOneBefore(view);
    await view.said('Example is now on the plan “business”.');
    const all = await view.read<(Named & { plan: string })[]>('/admin/organizations');
    assert.equal(all.find(({ name }) => name === 'Example')?.plan, 'business');
  },
  '/operator/regions': async (view) => {
    await view.enter('button', 'New region');
    await view.write('Name', 'Lisbon\n', 'dialog');
    await view.titled('Lisbon');
    await hasName(view, '/admin/regions', 'Lisbon');
  },
  '/operator/regions/$slug': async (view) => {
    await view.enter('button', 'Edit');
    await view.write('Name', 'Farther away', 'dialog');
    await view.to('checkbox', /^Internal/, 'dialog');
    await view.press('Space');
    await view.enter('button', 'Save', 'dialog');
    await view.titled('Farther away');
    await hasName(view, '/admin/regions', 'Farther away');
  },
  '/operator/doctor': async (view) => {
    await view.enter('button', 'Run now');
    await view.said(/^The database answers \(PostgreSQL/);
  },
};

export const SETTINGS: Record<string, Act> = {
  '/o/$orgId/settings/general': async (view) => {
    await view.write('Name', 'Atlas\n');
    await view.said('The organization has a new name.');
    await hasName(view, '/me/organizations', 'Atlas');
  },
  '/o/$orgId/settings/members': async (view) => {
    await view.enter('button', 'Invite somebody');
    await view.write('E-mail', 'new@example.com\n', 'dialog');
    await view.said('new@example.com');
  },
  '/o/$orgId/settings/api-keys': async (view) => {
    await view.enter('link', 'New API key');
    await view.titled('New API key');
  },
  '/o/$orgId/settings/api-keys/new': async (view) => {
    await view.write('Name', 'Pipeline');
    await view.to('radio', 'None');
    await view.press('ArrowRight');
    await view.enter('button', 'Create key');
    await view.enter('link', 'I have saved it');
    await view.titled('API keys');
    const keys = await view.read<(Named & { scopes: string[] })[]>('api-keys');
    assert.deepEqual(keys.find(({ name }) => name === 'Pipeline')?.scopes, ['organization:read']);
  },
  '/o/$orgId/settings/alarm-policy': async (view) => {
    await view.enter('link', 'Set a standard');
    await view.titled('Alarm standard');
  },
  '/o/$orgId/settings/alarm-policy/standard': async (view) => {
    await view.write('Minimum regions', '1');
    await view.write('Failing checks in a row', '3\n');
    await view.said('The alarm standard is in force.');
  },
  '/o/$orgId/settings/alarm-policy/profiles/new': async (view) => {
    await view.write('Name', 'At night\n');
    await view.titled('Alarm policy');
    await hasName(view, 'alert-profiles', 'At night');
  },
  '/o/$orgId/settings/alarm-policy/profiles/$profileId': async (view) => {
    await view.write('Failing checks in a row', '4\n');
    await view.said('Patient is saved, and in force.');
  },
  '/o/$orgId/settings/plan': async (view) => {
    await view.to('combobox', /^Plan of/);
    await chooseOneBefore(view);
    await view.said(/is now on the plan “business”/);
  },
  '/o/$orgId/settings/activity': async (view) => {
    await view.enter('button', /Webhook created/);
    await view.said('webhook.create');
  },
  '/o/$orgId/settings/transfer': async (view) => {
    const file = view.page.waitForEvent('download');
    await view.enter('button', 'Download');
    const path = await (await file).path();
    const chooser = view.page.waitForEvent('filechooser');
    await view.enter('button', 'Choose a file');
    await (await chooser).setFiles(path);
    await view.said(/^Preview of /);
  },
};

export const SIGNED_OUT: Record<string, Act> = {
  '/sign-in': async (view) => {
    await view.write('E-mail', ADMIN.email);
    await view.write('Password', `${ADMIN.password}\n`);
    await view.page.waitForURL(/\/o\/org_/);
  },
  '/second-step': async (view) => {
    await view.enter('button', 'Use a recovery code');
    await view.page.getByLabel('Recovery code').waitFor();
  },
  '/forgot-password': async (view) => {
    await view.enter('link', 'Back to sign-in');
    await view.titled('Sign in');
  },
  '/new-password': async (view) => {
    await view.write('New password', 'correct horse battery\n');
    await view.titled('This link does not work');
  },
  '/sign-up': async (view) => {
    await view.write('Your name', 'Grace');
    await view.write('E-mail', 'grace@example.com');
    await view.write('Password', 'correct horse battery\n');
    await view.said(/^Sign-up is closed here/);
  },
  '/confirm-sign-up': async (view) => {
    await view.write('Password', 'correct horse battery\n');
    await view.said(/^Sign-up is closed here/);
  },
  '/setup': async (view) => {
    await view.enter('link', 'Sign in');
    await view.titled('Sign in');
  },
  '/invitation': async (view) => {
    await view.enter('link', 'To the dashboard');
    await view.titled('Sign in');
  },
};
