import type { UseFormRegister } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { ProfileInput } from '../mutations';

type ProfileFieldsProps = {
  register: UseFormRegister<ProfileInput>;
  /** Settings marks the username required, the profile page does not (PROF-03). */
  isUsernameRequired?: boolean;
  isReadOnly?: boolean;
};

/** Names and address. Marked required without a check here, as specified (PROF-03); the database keeps the old ones. */
export function ProfileFields({ register, isUsernameRequired = false, isReadOnly = false }: ProfileFieldsProps) {
  return (
    <>
      <Field label="Display name" isRequired>
        <Input {...register('displayName')} autoComplete="name" maxLength={120} readOnly={isReadOnly} />
      </Field>
      <Field label="Username" isRequired={isUsernameRequired} hint="Shown on the leaderboard, with its middle hidden.">
        <Input {...register('username')} autoComplete="username" maxLength={80} readOnly={isReadOnly} />
      </Field>
      <Field
        label="Email"
        isRequired
        hint="Changing your email requires verification: it changes here once the new address is verified."
      >
        <Input {...register('email')} type="email" autoComplete="email" maxLength={254} readOnly={isReadOnly} />
      </Field>
    </>
  );
}
