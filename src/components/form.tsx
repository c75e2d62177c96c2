import { zodResolver } from '@hookform/resolvers/zod';
import type { ComponentProps, ReactNode } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Button } from '@/components/ui/button';

/**
 * A form checked by the schema that the call to the server uses as well. Errors appear when a field is left and when the
 * form is sent; use `form.register('name')` on Input, Textarea and Select and pass `errors.name?.message` to Field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  options: { defaultValues?: DefaultValues<Input> } = {},
) {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), mode: 'onTouched', ...options });
}

/** A form whose submit never reloads the page; browsers' own bubbles are off because fields show their errors. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={props.className ?? 'grid max-w-form gap-5'} />;
}

/** The submit button: shows that the form is being sent and ignores further presses. */
export function SubmitButton({
  isSubmitting,
  children,
  ...props
}: { isSubmitting: boolean; children: ReactNode } & ComponentProps<typeof Button>) {
  return (
    <Button type="submit" isLoading={isSubmitting} {...props}>
      {children}
    </Button>
  );
}
