// The state of a form or a button that writes: one write at a time, its refusal, and the wait before a retry.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from './call.ts';
import { useRefusalSentence } from './ui/refusal-sentence.ts';
import { useIsShown } from './ui/use-while-shown.ts';

export type Refusal = { error: unknown; sentence: string; field: string | undefined };

type Options = {
  /** Shows a refusal in its place; false: it has no particular place and stays in `refusal`. */
  show?: (refusal: Refusal) => boolean;
  /** More specific words for some refusals; undefined: the usual ones. */
  words?: (error: unknown) => string | undefined;
};

export type Write<Reply = unknown> = {
  busy: boolean;
  /** The result of the last `run`. */
  reply: Reply | undefined;
  /** The refusal of the last `run`, unless `show` has shown it; null otherwise. */
  error: unknown;
  /** The same as a sentence. */
  refusal: string | null;
  /** The sentence, if the refusal names this field. */
  at: (field: string) => string | null;
  /** Seconds until the server accepts another attempt; 0: at once. */
  waitSeconds: number;
  /** Runs a write (`send` or `post`) and stores its error. True: it succeeded. Does nothing while another runs. */
  run: (work: () => Promise<Reply>) => Promise<boolean>;
  reset: () => void;
  /**
   * Nobody waits any more for the write under way, whose dialog was closed: another may run, and `run` says false of this one. A
   * refusal of it becomes a notification, as does one that comes after its form or button is gone.
   */
  letGo: () => void;
};

const fieldOf = (error: unknown) => (error instanceof ApiError ? error.field : undefined);

/** The state of a write. It is a mutation of the query client, so the end of the session is noticed too. */
export function useWrite<Reply = unknown>({ show, words }: Options = {}): Write<Reply> {
  const usual = useRefusalSentence();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const running = useRef<() => Promise<Reply>>(null);
  const isShown = useIsShown();
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
    if (running.current !== null) return false;
    running.current = work;
    // The end of the wait forgets the refusal that it belongs to, and not what this attempt brings.
    setWaitSeconds(0);
    try {
      await mutateAsync(work);
      return running.current === work;
    } catch (refused) {
      if (running.current !== work || !isShown.current) {
        if (!isSignedOut(refused)) inNote({ sentence: sentenceOf(refused) });
        return false;
      }
      const hasPlace = show?.({ error: refused, sentence: sentenceOf(refused), field: fieldOf(refused) });
      if (hasPlace) reset();
      else setWaitSeconds(waitOf(refused));
      return false;
    } finally {
      if (running.current === work) running.current = null;
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
    letGo() {
      running.current = null;
      setWaitSeconds(0);
      reset();
    },
  };
}

/** The sign-in page took the place of all forms (session-end.ts), and says it by itself. */
const isSignedOut = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && error.reason === undefined;

const waitOf = (error: unknown) =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;

type Form = { getValues: () => object; setFieldError: (field: string, sentence: string) => void };

/** For `show`: at the form field that the refusal names. */
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

/** For `show`: as a notification, for buttons without a place for it. */
export function inNote({ sentence }: Pick<Refusal, 'sentence'>): boolean {
  notifications.show({ color: 'red', message: sentence });
  return true;
}
