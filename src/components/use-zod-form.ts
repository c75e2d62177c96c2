import { zodResolver } from '@hookform/resolvers/zod';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';

/**
 * A form checked by the schema that the call to the server uses as well. Errors appear when a field is left and when the
 * form is sent; use `form.register('name')` on Input, Textarea and Select and pass `errors.name?.message` to Field.
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  options: { defaultValues?: DefaultValues<Input>; values?: Input } = {},
) {
  return useForm<Input, unknown, Output>({ resolver: zodResolver(schema), mode: 'onTouched', ...options });
}
