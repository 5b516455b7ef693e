// The form's state with everything that judges it: as one types, before it is sent, and what the server refused.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/call.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import type { Problem } from '../types/form-type.ts';
import { isEmptiness } from './checks.ts';
import { useForm } from './form-context.ts';
import { problemsOf } from './problems.ts';
import { formPathOf, type Section, sectionOf } from './refusal-field.ts';
import type { MonitorValues } from './values.ts';

/** `refusal` is what belongs to no field; every other problem stands at its field, in a section that opens for it. */
export function useJudgedForm(initial: MonitorValues, openedFirst: readonly Section[]) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  const words = ({ key, values }: Problem) => t(key as 'errors.unexpected', values ?? {});
  const inWords = (problems: Record<string, Problem>) =>
    Object.fromEntries(Object.entries(problems).map(([path, problem]) => [path, words(problem)]));
  const form = useForm({
    initialValues: initial,
    validate: (values) => inWords(problemsOf(values, initial)),
    // Leaving a field judges it; what is still empty is left alone until the form is sent.
    enhanceGetInputProps: ({ field, form: inside }) => ({
      onBlur: () => {
        const problem = problemsOf(inside.getValues(), initial)[field];
        if (problem !== undefined && !isEmptiness(problem)) inside.setFieldError(field, words(problem));
      },
    }),
  });
  const [opened, setOpened] = useState<ReadonlySet<Section>>(new Set(openedFirst));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const element = useRef<HTMLFormElement>(null);

  function toggle(section: Section) {
    const next = new Set(opened);
    if (!next.delete(section)) next.add(section);
    setOpened(next);
  }

  /** Opens what hides the fields, and leads to the first of them. */
  function lead(paths: readonly string[]) {
    setOpened(new Set([...opened, ...paths.map((path) => sectionOf(path, form.getValues()))]));
    // The section has to unfold before its field can take the focus.
    requestAnimationFrame(() => {
      const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input');
      field?.focus();
      field?.scrollIntoView({ block: 'center' });
    });
  }

  function showRefusal(error: unknown) {
    const path = error instanceof ApiError && error.field ? formPathOf(error.field, form.getValues()) : null;
    if (path === null) {
      setRefusal(sentence(error));
      element.current?.scrollIntoView({ block: 'start' });
      return;
    }
    form.setFieldError(path, sentence(error));
    lead([path]);
  }

  /** Whether nothing is wrong so far; what is, is shown. */
  function validate(): boolean {
    setRefusal(null);
    const problems = inWords(problemsOf(form.getValues(), initial));
    form.setErrors(problems);
    const paths = Object.keys(problems);
    if (paths.length > 0) lead(paths);
    return paths.length === 0;
  }

  const onSubmit = (send: (values: MonitorValues) => Promise<void>) =>
    form.onSubmit(
      (values) => {
        setBusy(true);
        setRefusal(null);
        void send(values)
          .catch(showRefusal)
          .finally(() => setBusy(false));
      },
      (errors) => lead(Object.keys(errors)),
    );

  return {
    form,
    element,
    busy,
    refusal,
    isOpened: (section: Section) => opened.has(section),
    toggle,
    validate,
    showRefusal,
    onSubmit,
  };
}
