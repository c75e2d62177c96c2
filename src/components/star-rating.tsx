import { Star } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';

const values = [1, 2, 3, 4, 5] as const;

type StarRatingProps = {
  label: string;
  /** 0 means not rated. */
  value: number;
  onChange: (value: number) => void;
  /** Word of each value, 0 included: ['Click to rate', 'Poor', … 'Excellent']. */
  captions: readonly string[];
  isClearable?: boolean;
};

/** One to five stars as a radio group with a caption for the value. */
export function StarRating({ label, value, onChange, captions, isClearable = false }: StarRatingProps) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3">
      <legend className="mb-1 font-semibold">{label}</legend>
      <div className="flex">
        {values.map((star) => (
          <label
            key={star}
            className="grid size-11 cursor-pointer place-items-center rounded-control has-focus-visible:outline-3 has-focus-visible:outline-action"
          >
            <input
              type="radio"
              name={name}
              value={star}
              checked={value === star}
              onChange={() => onChange(star)}
              aria-label={`${formatCount(star, 'star')}: ${captions[star] ?? ''}`}
              className="sr-only"
            />
            <StarShape isFilled={star <= value} className="size-7" />
          </label>
        ))}
      </div>
      <span aria-hidden="true" className="text-muted">
        {captions[value]}
      </span>
      {isClearable && value > 0 && (
        <Button variant="link" onClick={() => onChange(0)}>
          Clear rating
        </Button>
      )}
    </fieldset>
  );
}

function StarShape({ isFilled, className }: { isFilled: boolean; className?: string }) {
  return <Star aria-hidden="true" className={cn(isFilled ? 'fill-points text-points' : 'text-field', className)} />;
}

/** A read-only rating: '4.5 out of 5'. */
export function Stars({ value }: { value: number }) {
  return (
    <span role="img" aria-label={`${value} out of 5 stars`} className="inline-flex">
      {values.map((star) => (
        <StarShape key={star} isFilled={star <= Math.round(value)} className="size-4" />
      ))}
    </span>
  );
}
