// Unsaved changes of on-call: roster and rules, saved together.
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  getOnCallSettings,
  getRoster,
  type OnCallSettings,
  putOnCallSettings,
  putRoster,
  type Roster,
} from '#src/on-call/contract.ts';
import { changedOf, mergedOf } from '#web/meanwhile/clashes.ts';
import { type Meanwhile, useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { atFields, useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import {
  type RulesForm,
  type RulesValues,
  rulesBody,
  startAgain,
  useRulesForm,
  valuesOf,
} from './use-rules-form.ts';

/** Rules and roster as one set of fields. */
export type OnCallValues = RulesValues & { roster: string[] };

export type OnCallDraft = {
  rules: RulesForm;
  /** Ids of people, in the order of the rotation. */
  order: string[];
  isRosterChanged: boolean;
  setOrder: (order: string[]) => void;
  isDirty: boolean;
  meanwhile: Meanwhile<OnCallValues>;
  write: Write<void>;
  save: () => Promise<void>;
  discard: () => void;
};

const together = (settings: OnCallSettings, { members }: Roster): OnCallValues => ({
  ...valuesOf(settings),
  roster: members.map(({ user_id }) => user_id),
});

export function useOnCallDraft(settings: OnCallSettings, roster: Roster): OnCallDraft {
  const { t } = useTranslation();
  const params = { org_id: useOrgId() };
  const rules = useRulesForm(settings);
  const write = useWrite<void>({ show: atFields(rules) });
  const stored = together(settings, roster);
  const [draft, setDraft] = useState<string[] | null>(null);
  const order = draft ?? stored.roster;
  const isDirty = draft !== null || rules.isDirty();
  const isStored = (next: readonly string[]) => next.join() === stored.roster.join();
  const meanwhile = useMeanwhile<OnCallValues>(
    stored,
    { ...rulesBody(rules.values), roster: order },
    ({ roster: next, ...values }) => {
      rules.setValues(values);
      setDraft(isStored(next) ? null : next);
    },
  );

  function follow() {
    startAgain(rules, valuesOf(settings));
    meanwhile.rebase(stored);
  }

  // After a change elsewhere, an untouched form follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read anew counts, not a new form
  useEffect(() => {
    if (!isDirty) follow();
  }, [settings, roster]);

  /** Whether nobody else has changed what is about to be sent. */
  async function isFree(values: OnCallValues): Promise<boolean> {
    const now = await Promise.all([
      queryClient.fetchQuery({ ...read(getOnCallSettings, { params }), staleTime: 0 }),
      queryClient.fetchQuery({ ...read(getRoster, { params }), staleTime: 0 }),
    ]);
    return meanwhile.admits(values, together(...now));
  }

  /** Roster first: if this turns on-call on, somebody is on call at once. What is changed meanwhile stays a change. */
  async function sendChanges(): Promise<void> {
    const written = rules.getValues();
    const sent = rulesBody(written);
    let kept: RulesValues = sent;
    if (!(await isFree({ ...sent, roster: order }))) return;
    if (draft !== null) {
      const members = draft.map((user_id, position) => ({ position, user_id }));
      await send(putRoster, { params, body: { members } }, () =>
        setDraft((now) => (now === draft ? null : now)),
      );
    }
    const { roster: _, ...opened } = meanwhile.base;
    const body = changedOf<RulesValues>(opened, sent) as Partial<typeof sent>;
    if (Object.keys(body).length > 0)
      await send(putOnCallSettings, { params, body }, (saved) => {
        kept = valuesOf(saved);
        startAgain(rules, kept, mergedOf(written, rules.getValues(), kept, 'mine', 1));
      });
    meanwhile.rebase({ ...kept, roster: order });
    notifications.show({ message: t('onCall.saved') });
  }

  return {
    rules,
    order,
    isRosterChanged: draft !== null,
    setOrder(next) {
      // The change is one of the roster on screen.
      if (draft === null) meanwhile.rebase({ ...meanwhile.base, roster: stored.roster });
      setDraft(isStored(next) ? null : next);
    },
    isDirty,
    meanwhile,
    write,
    async save() {
      if (!rules.validate().hasErrors) await write.run(sendChanges);
    },
    discard() {
      setDraft(null);
      follow();
      write.reset();
    },
  };
}
