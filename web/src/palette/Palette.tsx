import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Write } from '../use-write.ts';
import { arranged } from './arranged.ts';
import { Chooser } from './Chooser.tsx';
import { bestMatches } from './match.ts';
import { show } from './overlay.ts';
import styles from './Palette.module.css';
import type { StepName } from './steps.ts';
import { useActionItems } from './use-action-items.tsx';
import { useCurrentPageItems } from './use-current-page-items.tsx';
import { usePageItems } from './use-page-items.tsx';
import { usePaletteContext } from './use-palette-context.ts';
import { useResourceItems } from './use-resource-items.tsx';
import { useStepItems } from './use-step-items.tsx';
import { useStepLines } from './use-step-lines.tsx';
import { useIncidentItems, useMonitorItems } from './use-watched-items.tsx';

/**
 * Finds every page, monitor, incident and action by name, and asks in a second step what some actions are to be done to.
 * `write` outlives the palette, which closes before an action runs.
 */
export default function Palette({ write }: { write: Write }) {
  const { t } = useTranslation();
  const [step, setStep] = useState<StepName | null>(null);
  return (
    <Modal.Root
      opened
      returnFocus={false}
      onClose={() => show(null)}
      // In the second step it leads back to the first.
      closeOnEscape={step === null}
      centered={false}
      yOffset="10dvh"
      size={640}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')} classNames={{ content: styles.content }}>
        {step === null ? (
          <Everything write={write} onStep={setStep} />
        ) : (
          <Subjects step={step} write={write} onBack={() => setStep(null)} />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function Everything({ write, onStep }: { write: Write; onStep: (step: StepName) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() !== '';
  const where = usePaletteContext();
  const monitors = useMonitorItems(where, typed);
  const items = [
    ...useCurrentPageItems(where, write),
    ...useStepLines(where, write),
    ...usePageItems(where),
    ...monitors.items,
    ...useIncidentItems(where, isTyped),
    ...useResourceItems(where, isTyped),
    ...useActionItems(where),
  ];
  return (
    <Chooser
      asked={t('palette.placeholder')}
      typed={typed}
      onType={setTyped}
      groups={arranged(typed, items)}
      isSearching={monitors.isSearching}
      none={t(monitors.hasFailed ? 'palette.failed' : 'palette.none')}
      onStep={onStep}
    />
  );
}

type SubjectsProps = { step: StepName; write: Write; onBack: () => void };

/** The second step: chooses the monitor or incident that an action applies to. */
function Subjects({ step, write, onBack }: SubjectsProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { items, isSearching, hasFailed } = useStepItems(usePaletteContext(), step, typed, write);
  const found = bestMatches(typed, items);
  const [first] = found;
  const none = typed.trim() === '' ? `palette.steps.${step}.none` : 'palette.none';
  return (
    <Chooser
      asked={t(`palette.steps.${step}.ask`)}
      typed={typed}
      onType={setTyped}
      groups={first === undefined ? [] : [{ group: first.group, items: found }]}
      isSearching={isSearching}
      none={t(hasFailed ? 'palette.failed' : (none as 'palette.none'))}
      onBack={onBack}
    />
  );
}
