import { Slot } from 'radix-ui';
import { type ComponentProps, createContext, use } from 'react';
import { cn } from '@/lib/cn';
import { useOneAtATime } from '@/lib/use-one-at-a-time';
import { Spinner } from './spinner';

const variants = {
  primary: 'bg-action text-on-action shadow-card hover:bg-action-strong',
  secondary: 'border border-field bg-card text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
  'ghost-danger': 'text-danger hover:bg-sunken',
  link: 'text-action underline decoration-1 underline-offset-4 hover:decoration-2',
} as const;

const sizes = { md: 'min-h-11 py-2', lg: 'min-h-12 py-2', icon: 'size-11' } as const;

type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Styles the single child, such as a link, instead of rendering a button. */
  asChild?: boolean;
  /** Shows a spinner, keeps the width and ignores further clicks. */
  isLoading?: boolean;
  /** Shown with the spinner while loading, instead of the hidden label. */
  loadingLabel?: string;
};

/** The ids of what describes the buttons below it, such as the row of a table that they are in. */
export const ButtonDescription = createContext<string | undefined>(undefined);

/** Class names of a button, for elements that cannot take `asChild`. */
export function buttonClass(variant: keyof typeof variants = 'primary', size: keyof typeof sizes = 'md'): string {
  return cn(
    'relative inline-flex items-center justify-center gap-2 rounded-control font-semibold leading-tight transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    '[&_svg]:size-[1.15em] [&_svg]:shrink-0',
    sizes[size],
    size !== 'icon' && variant !== 'link' && 'px-4',
    variants[variant],
  );
}

/**
 * A loading button stays focusable, so that keyboard users do not lose their place. While the promise that `onClick` returned is pending,
 * further clicks are ignored.
 */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    asChild = false,
    isLoading = false,
    loadingLabel,
    className,
    children,
    onClick,
    ...rest
  } = props;
  const describedBy = use(ButtonDescription);
  const handleClick = useOneAtATime(onClick);
  const classes = cn(buttonClass(variant, size), className);
  if (asChild) {
    return (
      <Slot.Root aria-describedby={describedBy} className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      aria-describedby={describedBy}
      {...rest}
      className={classes}
      aria-disabled={isLoading || rest['aria-disabled']}
      aria-busy={isLoading || undefined}
      onClick={isLoading ? (event) => event.preventDefault() : handleClick}
    >
      {isLoading && loadingLabel ? (
        <Spinner label={loadingLabel} />
      ) : (
        <span className={cn('inline-flex items-center gap-2', isLoading && 'opacity-0')}>{children}</span>
      )}
      {isLoading && !loadingLabel && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
}
