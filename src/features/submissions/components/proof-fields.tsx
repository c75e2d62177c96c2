import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { formatNumber } from '@/lib/format';
import { maxProofTextLength, type ProofForm } from '../schema';

type ProofFieldProps = { form: Pick<UseFormReturn<ProofForm>, 'register'>; error?: string };

export function UrlField({ form, error, isOptional }: ProofFieldProps & { isOptional: boolean }) {
  return (
    <Field label="Link" error={error} aside={isOptional && 'Optional'}>
      <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...form.register('url')} />
    </Field>
  );
}

/** The count appears when it starts to matter. */
export function TextField({
  form,
  error,
  isOptional,
  length,
}: ProofFieldProps & { isOptional: boolean; length: number }) {
  const isLong = length > maxProofTextLength * 0.8;
  const count = `${formatNumber(length)} of ${formatNumber(maxProofTextLength)}`;
  return (
    <Field label="Description" error={error} aside={isLong ? count : isOptional && 'Optional'}>
      <Textarea rows={3} placeholder="What did you do?" {...form.register('text')} />
    </Field>
  );
}

/** Says why the address is asked for and who gets it, before it is given. */
export function EmailField({ form, error, purpose }: ProofFieldProps & { purpose: string | null }) {
  return (
    <Field label="Email" error={error} isRequired hint={`Shared with this project. ${purpose ?? ''}`.trim()}>
      <Input type="email" inputMode="email" autoComplete="email" {...form.register('email')} />
    </Field>
  );
}
