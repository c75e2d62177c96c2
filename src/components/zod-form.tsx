import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { formatAge } from '@/lib/format';

/**
 * When a form shows its errors: soon after a field is left, and when the form is sent. Soon and not at once (in milliseconds), because a
 * press on a button leaves the field, and an error that appears during the press would move the button away from under it.
 */
export const validationTime = { mode: 'onTouched', delayError: 300 } as const;

/**
 * A form checked by the schema that the call to the server uses as well. Use `form.register('name')` on Input, Textarea and Select, and
 * pass `errors.name?.message` to Field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  options: { defaultValues?: DefaultValues<Input>; values?: Input } = {},
) {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), ...validationTime, ...options });
}

type FormDraftOptions<Values> = {
  /** As `createDrafts` returns them; must be the same object on each render. */
  drafts: {
    read: (userId: string, id: string) => { values: Values; savedAt: number } | null;
    write: (userId: string, id: string, values: Values | null) => void;
  };
  /** Null keeps and restores nothing. */
  userId: string | null;
  id: string;
  empty: Values;
  /** Focused after starting over. */
  firstField: Path<Values & FieldValues>;
};

/**
 * Keeps a form's values in this browser until `forget`, and puts back what an earlier visit left unsaved (BEY-11). Render `notice` above
 * the form: it says that, and offers to start over.
 */
export function useFormDraft<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'reset' | 'subscribe' | 'setFocus'>,
  { drafts, userId, id, empty, firstField }: FormDraftOptions<Values>,
): { notice: ReactNode; forget: () => void } {
  const { reset, subscribe } = form;
  const [draft, setDraft] = useState(() => (userId === null ? null : drafts.read(userId, id)));
  useEffect(() => {
    if (draft) reset(draft.values, { keepDefaultValues: true });
  }, [draft, reset]);
  useEffect(() => {
    if (userId === null) return;
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => drafts.write(userId, id, isDirty ? values : null),
    });
  }, [subscribe, drafts, userId, id]);

  const handleStartOver = () => {
    setDraft(null);
    // Explicit, because a form may be configured to keep dirty values on reset.
    reset(empty, { keepFieldsRef: true, keepDirtyValues: false });
    form.setFocus(firstField as Path<Values>);
  };
  return {
    notice: draft && (
      <Notice
        title="Draft restored"
        actions={
          <Button variant="secondary" onClick={handleStartOver}>
            Start over
          </Button>
        }
      >
        Last edited {formatAge(new Date(draft.savedAt))}, and kept in this browser only.
      </Notice>
    ),
    forget: () => {
      if (userId !== null) drafts.write(userId, id, null);
    },
  };
}
