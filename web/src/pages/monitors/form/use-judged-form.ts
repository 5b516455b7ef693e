// The form's state with everything that judges it: as one types, before it is sent, and what the server refused.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Refusal, useWrite } from '#web/use-write.ts';
import type { AnyForm, Problem } from '../types/type-form.ts';
import { isEmptiness } from './checks.ts';
import { useForm } from './form-context.ts';
import { problemsOf } from './problems.ts';
import { formPathOf, type Section, sectionOf } from './refusal-field.ts';
import type { MonitorValues } from './values.ts';

/** `write` keeps the refusal that belongs to no field; every other problem stands at its field, in a section that opens for it. */
export function useJudgedForm(type: AnyForm, initial: MonitorValues, openedFirst: readonly Section[]) {
  const { t } = useTranslation();
  const words = ({ key, values }: Problem) => t(key as 'errors.unexpected', values ?? {});
  const inWords = (problems: Record<string, Problem>) =>
    Object.fromEntries(Object.entries(problems).map(([path, problem]) => [path, words(problem)]));
  const form = useForm({
    initialValues: initial,
    validate: (values) => inWords(problemsOf(type, values, initial)),
    // Leaving a field judges it; what is still empty is left alone until the form is sent.
    enhanceGetInputProps: ({ field, form: inside }) => ({
      onBlur: () => {
        const problem = problemsOf(type, inside.getValues(), initial)[field];
        if (problem !== undefined && !isEmptiness(problem)) inside.setFieldError(field, words(problem));
      },
    }),
  });
  const [opened, setOpened] = useState<ReadonlySet<Section>>(new Set(openedFirst));
  const element = useRef<HTMLFormElement>(null);

  function toggle(section: Section) {
    const next = new Set(opened);
    if (!next.delete(section)) next.add(section);
    setOpened(next);
  }

  /** Opens what hides the fields, and leads to the first of them. */
  function lead(paths: readonly string[]) {
    setOpened(new Set([...opened, ...paths.map((path) => sectionOf(type, path))]));
    // The section has to unfold before its field can take the focus.
    requestAnimationFrame(() => {
      const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input');
      field?.focus();
      field?.scrollIntoView({ block: 'center' });
    });
  }

  function show({ sentence, field }: Refusal): boolean {
    const path = field ? formPathOf(type, field, form.getValues()) : null;
    if (path === null) {
      element.current?.scrollIntoView({ block: 'start' });
      return false;
    }
    form.setFieldError(path, sentence);
    lead([path]);
    return true;
  }

  const write = useWrite({ show });

  /** Whether nothing is wrong so far; what is, is shown. */
  function validate(): boolean {
    write.reset();
    const problems = inWords(problemsOf(type, form.getValues(), initial));
    form.setErrors(problems);
    const paths = Object.keys(problems);
    if (paths.length > 0) lead(paths);
    return paths.length === 0;
  }

  const onSubmit = (save: (values: MonitorValues) => Promise<void>) =>
    form.onSubmit(
      (values) => void write.run(() => save(values)),
      (errors) => lead(Object.keys(errors)),
    );

  return {
    form,
    element,
    write,
    isOpened: (section: Section) => opened.has(section),
    toggle,
    validate,
    /** A refusal of something else that was sent with what is in the form, such as a test of it. */
    showRefusal: (error: unknown) => void write.run(() => Promise.reject(error)),
    onSubmit,
  };
}
