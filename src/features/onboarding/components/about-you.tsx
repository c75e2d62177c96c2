import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { INDUSTRIES } from '@/features/projects';

export type AboutYou = { displayName: string; interests: readonly string[] };

/** The member's display name and interests, both optional (C-116). */
export function AboutYouFields({ value, onChange }: { value: AboutYou; onChange: (value: AboutYou) => void }) {
  const { displayName, interests } = value;
  const toggle = (industry: string) =>
    interests.includes(industry) ? interests.filter((each) => each !== industry) : [...interests, industry];
  return (
    <div className="grid w-full gap-5">
      <Field label="What should we call you?" hint="Others see it with its middle hidden.">
        <Input
          value={displayName}
          onChange={(event) => onChange({ ...value, displayName: event.target.value })}
          autoComplete="name"
          maxLength={120}
        />
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold text-[0.95rem]">What interests you?</legend>
        <div className="flex flex-wrap gap-2">
          {INDUSTRIES.map((industry) => (
            <label
              key={industry}
              className="inline-flex min-h-11 cursor-pointer items-center rounded-full border border-field bg-card px-4 font-medium text-sm has-checked:border-action has-checked:bg-action-soft has-checked:text-action has-focus-visible:outline-3 has-focus-visible:outline-action has-focus-visible:outline-offset-2"
            >
              <input
                type="checkbox"
                checked={interests.includes(industry)}
                onChange={() => onChange({ ...value, interests: toggle(industry) })}
                className="sr-only"
              />
              {industry}
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
