// Unsaved changes of on-call: roster and rules, saved together.
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type OnCallSettings, putOnCallSettings, putRoster, type Roster } from '#src/on-call/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { atFields, useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { type RulesForm, rulesBody, useRulesForm } from './use-rules-form.ts';

export type OnCallDraft = {
  rules: RulesForm;
  /** Ids of people, in the order of the rotation. */
  order: string[];
  isRosterChanged: boolean;
  setOrder: (order: string[]) => void;
  isDirty: boolean;
  write: Write<void>;
  save: () => Promise<void>;
  discard: () => void;
};

export function useOnCallDraft(settings: OnCallSettings, roster: Roster): OnCallDraft {
  const { t } = useTranslation();
  const params = { org_id: useOrgId() };
  const rules = useRulesForm(settings);
  const write = useWrite<void>({ show: atFields(rules) });
  const stored = roster.members.map(({ user_id }) => user_id);
  const [draft, setDraft] = useState<string[] | null>(null);
  const areRulesChanged = rules.isDirty();

  /** Roster first: if this turns on-call on, somebody is on call at once. Sent changes are no longer edited. */
  async function sendChanges(): Promise<void> {
    if (draft !== null) {
      const members = draft.map((user_id, position) => ({ position, user_id }));
      await send(putRoster, { params, body: { members } });
      setDraft(null);
    }
    if (areRulesChanged)
      await send(putOnCallSettings, { params, body: rulesBody(rules.getValues()) }, () => rules.resetDirty());
    notifications.show({ message: t('onCall.saved') });
  }

  return {
    rules,
    order: draft ?? stored,
    isRosterChanged: draft !== null,
    setOrder: (next) => setDraft(next.join() === stored.join() ? null : next),
    isDirty: draft !== null || areRulesChanged,
    write,
    async save() {
      if (!rules.validate().hasErrors) await write.run(sendChanges);
    },
    discard() {
      setDraft(null);
      rules.reset();
      write.reset();
    },
  };
}
