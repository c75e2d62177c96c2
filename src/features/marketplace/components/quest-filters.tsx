import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { UrlSelect } from '@/components/url-select';
import { INDUSTRIES } from '@/features/projects';
import { useShownChoice } from '@/lib/use-shown-choice';
import { proofKinds, type QuestFacetState, rewardRanges, timeRanges } from './quest-facets';

type QuestFiltersProps = { state: QuestFacetState; isMember: boolean };

/** The facets of the quest list (BEY-18), kept in the URL. */
export default function QuestFilters({ state: { values, setters }, isMember }: QuestFiltersProps) {
  return (
    <fieldset className="grid gap-4 rounded-card border bg-card p-4 sm:grid-cols-2 lg:grid-cols-4">
      <legend className="sr-only">Filters</legend>
      <FilterSelect
        label="Reward"
        any="Any reward"
        value={values.reward}
        onChange={setters.setReward}
        choices={rewardRanges}
      />
      <FilterSelect
        label="Proof"
        any="Any proof"
        value={values.proof}
        onChange={setters.setProof}
        choices={proofKinds}
      />
      <FilterSelect label="Time" any="Any time" value={values.time} onChange={setters.setTime} choices={timeRanges} />
      <FilterSelect
        label="Industry"
        any="All industries"
        value={values.industry}
        onChange={setters.setIndustry}
        choices={INDUSTRIES.map((name) => ({ value: name, label: name }))}
      />
      <div className="flex flex-wrap gap-x-6 sm:col-span-full">
        <FilterCheckbox
          label="No proof needed"
          isOn={values.press === '1'}
          onChange={(isOn) => setters.setPress(isOn ? '1' : '')}
        />
        {isMember && (
          <FilterCheckbox
            label="Hide completed quests"
            isOn={values.done === 'hide'}
            onChange={(isOn) => setters.setDone(isOn ? 'hide' : '')}
          />
        )}
      </div>
    </fieldset>
  );
}

type FilterSelectProps = {
  label: string;
  any: string;
  value: string;
  onChange: (value: string) => unknown;
  choices: readonly { value: string; label: string }[];
};

function FilterSelect({ label, any, value, onChange, choices }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <UrlSelect id={id} value={value} onChange={onChange}>
        <option value="">{any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </UrlSelect>
    </div>
  );
}

type FilterCheckboxProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => unknown };

function FilterCheckbox({ label, isOn, onChange }: FilterCheckboxProps) {
  const [shown, choose] = useShownChoice(isOn, onChange);
  return <Checkbox label={label} checked={shown} onChange={choose} />;
}
