// The form's state and its validation: while typing, on submit, and from the server's refusals.
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { type Refusal, useWrite } from '#web/use-write.ts';
import type { AnyForm, Problem } from '../types/type-form.ts';
import { isEmptiness } from './checks.ts';
import { useForm } from './form-context.ts';
import { problemsOf } from './problems.ts';
import { formPathOf, type Section, sectionOf } from './refusal-field.ts';
import type { MonitorValues } from './values.ts';

/** `write` holds refusals without a field; every other problem is at its field, and its section opens. */
export function useJudgedForm(type: AnyForm, initial: MonitorValues, openedFirst: readonly Section[]) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = ({ key, values, durations = {} }: Problem) => {
    const said = Object.entries(durations).map(([name, seconds]) => [name, formats.durationInWords(seconds)]);
    return t(key as 'errors.unexpected', { ...values, ...Object.fromEntries(said) });
  };
  const inWords = (problems: Record<string, Problem>) =>
    Object.fromEntries(Object.entries(problems).map(([path, problem]) => [path, words(problem)]));
  const form = useForm({
    initialValues: initial,
    validate: (values) => inWords(problemsOf(type, values, initial)),
    // Leaving a field validates it; an empty one is left alone until submit.
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

  /** Opens the sections of the fields, and focuses the first one. */
  function lead(paths: readonly string[]) {
    setOpened(new Set([...opened, ...paths.map((path) => sectionOf(type, path))]));
    // The section must be open before its field can take the focus.
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

  /** Validates the form and shows the problems; true if there are none. */
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
    /** Shows a refusal of another request with the form's values, such as a test. */
    showRefusal: (error: unknown) => void write.run(() => Promise.reject(error)),
    onSubmit,
  };
}
