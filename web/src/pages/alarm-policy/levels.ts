import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { EffectivePolicy, PolicyLevels } from '#src/domain/policy.ts';
import { sourceWords } from '../monitors/form/alarm-words.ts';
import { type PolicyField, sourceOf } from '../monitors/form/policy-levels.ts';

type InheritedLevels = { kind: 'profile' | 'standard'; below: EffectivePolicy; levels: PolicyLevels };

const Context = createContext<InheritedLevels | null>(null);

/** The policy that empty fields of a form inherit. */
export const Levels = Context.Provider;

/** The inherited policy, and for each field the source of its value in words. */
export function useLevels(): {
  below: EffectivePolicy;
  origin: (field: PolicyField, isSet: boolean) => string;
} {
  const { t } = useTranslation();
  const known = useContext(Context);
  if (known === null) throw new Error('levels are known inside of a policy form only');
  const { kind, below, levels } = known;
  return {
    below,
    origin: (field, isSet) =>
      isSet
        ? t(`alarmPolicy.setBy.${kind}`)
        : t('alarm.inheritedFrom', { source: sourceWords(t, sourceOf(field, levels), null) }),
  };
}
