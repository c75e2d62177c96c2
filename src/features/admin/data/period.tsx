/** Lengths of period that can be chosen, in days (DATA-01). */
const periods = ['7', '30', '90'] as const;
type Period = (typeof periods)[number];

/** Selects the period of the page; arrow keys change it. */
export function PeriodChoice({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  return (
    <fieldset className="flex rounded-control border border-field bg-card p-0.5">
      <legend className="sr-only">Period</legend>
      {periods.map((period) => (
        <label
          key={period}
          className="inline-flex min-h-10 grow cursor-pointer items-center justify-center rounded-[0.4rem] px-3 font-semibold text-muted hover:text-ink has-checked:bg-action-soft has-checked:text-action has-focus-visible:outline-3 has-focus-visible:outline-action"
        >
          <input
            type="radio"
            name="period"
            className="sr-only"
            checked={value === period}
            onChange={() => onChange(period)}
          />
          {period} days
        </label>
      ))}
    </fieldset>
  );
}
