// The state of a form or a button that writes: one write at a time, what it was refused with, and how long to wait.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from './call.ts';
import { useRefusalSentence } from './ui/refusal-sentence.ts';

export type Refusal = { error: unknown; sentence: string; field: string | undefined };

type Options = {
  /** Shows a refusal where it belongs; false: it belongs nowhere in particular and stays in `refusal`. */
  show?: (refusal: Refusal) => boolean;
  /** Better words for some refusals; undefined: the usual ones. */
  words?: (error: unknown) => string | undefined;
};

export type Write<Reply = unknown> = {
  busy: boolean;
  /** What the last `run` resolved with. */
  reply: Reply | undefined;
  /** What the last `run` was refused with, unless `show` has shown it; null otherwise. */
  error: unknown;
  /** The same as a sentence. */
  refusal: string | null;
  /** The sentence, if the refusal names this field. */
  at: (field: string) => string | null;
  /** Seconds until the server accepts another try; 0: at once. */
  waitSeconds: number;
  /** Does the work (`send` or `post`) and keeps what it throws. True: it succeeded. While one runs, another does nothing. */
  run: (work: () => Promise<Reply>) => Promise<boolean>;
  reset: () => void;
};

const fieldOf = (error: unknown) => (error instanceof ApiError ? error.field : undefined);

/** Keeps the state of a write; the session's end is noticed too, since every write is a mutation of the query client. */
export function useWrite<Reply = unknown>({ show, words }: Options = {}): Write<Reply> {
  const usual = useRefusalSentence();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const isRunning = useRef(false);
  const { mutateAsync, reset, isPending, data, error } = useMutation<Reply, unknown, () => Promise<Reply>>({
    mutationFn: (work) => work(),
  });
  const sentenceOf = (refused: unknown) => words?.(refused) ?? usual(refused);

  useEffect(() => {
    if (waitSeconds === 0) return;
    const timer = setTimeout(() => {
      setWaitSeconds(waitSeconds - 1);
      if (waitSeconds === 1) reset();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds, reset]);

  async function run(work: () => Promise<Reply>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    try {
      await mutateAsync(work);
      return true;
    } catch (refused) {
      const isShown = show?.({ error: refused, sentence: sentenceOf(refused), field: fieldOf(refused) });
      if (isShown) reset();
      else setWaitSeconds(waitOf(refused));
      return false;
    } finally {
      isRunning.current = false;
    }
  }

  return {
    busy: isPending,
    reply: data,
    error,
    refusal: error === null ? null : sentenceOf(error),
    at: (field) => (fieldOf(error) === field ? sentenceOf(error) : null),
    waitSeconds,
    run,
    reset,
  };
}

const waitOf = (error: unknown) =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;

type Form = { getValues: () => object; setFieldError: (field: string, sentence: string) => void };

/** For `show`: at the field of the form that the refusal names. */
export const atFields =
  (form: Form) =>
  ({ field, sentence }: Refusal): boolean => {
    const [name = ''] = field?.split('.') ?? [];
    if (!(name in form.getValues())) return false;
    form.setFieldError(name, sentence);
    return true;
  };

/** For `show`: at the only field of a form, whatever the refusal names. */
export const atField =
  (form: Form, name: string) =>
  ({ sentence }: Refusal): boolean => {
    form.setFieldError(name, sentence);
    return true;
  };

/** For `show`: in a note at the edge of the page, for buttons that have no place of their own for it. */
export function inNote({ sentence }: Refusal): boolean {
  notifications.show({ color: 'red', message: sentence });
  return true;
}
