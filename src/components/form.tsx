import { zodResolver } from '@hookform/resolvers/zod';
import type { ComponentProps, ReactNode } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Button } from '@/components/ui/button';

/**
 * A form validated by the schema that the mutation uses as well. Errors appear on blur and on submit; use
 * `form.register('name')` on Input, Textarea and Select and pass `errors.name?.message` to Field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  options: { defaultValues?: DefaultValues<Input> } = {},
) {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), mode: 'onTouched', ...options });
}

/** A form that never reloads the page on submit; native validation is off because fields show their errors. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={props.className ?? 'grid max-w-form gap-5'} />;
}

/** The submit button: shows that the form is being submitted and ignores further clicks. */
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
