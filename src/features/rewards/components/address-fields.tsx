import { useState } from 'react';

import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { useZodForm } from '@/components/use-zod-form';
import { countries, likelyCountry } from '../countries';
import { addressSchema } from '../schema';

/** The form of an address, empty but for the likeliest country. */
export function useAddressForm() {
  const [country] = useState(likelyCountry);
  return useZodForm(addressSchema, {
    defaultValues: { name: '', street: '', extra: '', postal_code: '', city: '', region: '', country },
  });
}

/** Where a reward goes by post, with what becomes of the address (C-93). */
export function AddressFields({ form }: { form: ReturnType<typeof useAddressForm> }) {
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Where should we send it?</legend>
      <Field label="Name" isRequired error={errors.name?.message}>
        <Input autoComplete="name" {...register('name')} />
      </Field>
      <Field label="Street and number" isRequired error={errors.street?.message}>
        <Input autoComplete="address-line1" {...register('street')} />
      </Field>
      <Field label="Flat, floor or company" hint="Optional" error={errors.extra?.message}>
        <Input autoComplete="address-line2" {...register('extra')} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_2fr]">
        <Field label="Postal code" error={errors.postal_code?.message}>
          <Input autoComplete="postal-code" {...register('postal_code')} />
        </Field>
        <Field label="Town or city" isRequired error={errors.city?.message}>
          <Input autoComplete="address-level2" {...register('city')} />
        </Field>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="State or region" hint="Optional" error={errors.region?.message}>
          <Input autoComplete="address-level1" {...register('region')} />
        </Field>
        <Field label="Country" isRequired error={errors.country?.message}>
          <Select autoComplete="country" {...register('country')}>
            <option value="">Choose a country</option>
            {countries().map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="text-muted text-sm">
        Only the people who send it see this address. We delete it 90 days after it was sent.
      </p>
    </fieldset>
  );
}
