import { cn } from '@/lib/cn';

const fills = { action: 'bg-action', points: 'bg-points', warning: 'bg-warning', danger: 'bg-danger' } as const;

type BarProps = {
  value: number;
  max?: number;
  /** Accessible name of what is measured. */
  label: string;
  /** The value in words, such as '3 of 20 spots left'; otherwise a percentage is read out. */
  valueText?: string;
  tone?: keyof typeof fills;
  className?: string;
};

function clamp({ value, max = 100 }: BarProps): number {
  return Math.min(Math.max(value, 0), max);
}

/**
 * The visible bar; a visually hidden native element next to it is announced, because browsers barely allow styling it.
 */
function Drawn(props: BarProps) {
  const { max = 100, tone = 'action', className = 'h-2' } = props;
  const share = max > 0 ? clamp(props) / max : 0;
  return (
    <div aria-hidden="true" className={cn('overflow-hidden rounded-full bg-sunken', className)}>
      <div
        className={cn('h-full rounded-full transition-[width] duration-300', fills[tone])}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}

/** Progress of something, such as an upload or a wizard. */
export function Progress(props: BarProps) {
  const { max = 100, label, valueText } = props;
  return (
    <div className="relative">
      <progress className="sr-only" value={clamp(props)} max={max} aria-label={label} aria-valuetext={valueText} />
      <Drawn {...props} />
    </div>
  );
}

/** A level of something, such as spots or budget. */
export function Meter(props: BarProps) {
  const { max = 100, label, valueText } = props;
  return (
    <div className="relative">
      <meter className="sr-only" value={clamp(props)} max={max} aria-label={label} aria-valuetext={valueText} />
      <Drawn {...props} />
    </div>
  );
}
