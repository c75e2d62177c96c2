import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';

/** A form that never reloads the page on submit; native validation is off because fields show their errors. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={props.className ?? 'grid max-w-form gap-5'} />;
}

/** Milliseconds after which a submit button says that it is still at it: a spinner alone looks like a page that hangs. */
const slowAfter = 6000;

/** The submit button: shows that the form is being submitted and ignores further clicks. */
export function SubmitButton({
  isSubmitting,
  children,
  ...props
}: { isSubmitting: boolean; children: ReactNode } & ComponentProps<typeof Button>) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isSubmitting) return;
    const timer = setTimeout(() => setIsSlow(true), slowAfter);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isSubmitting]);
  return (
    <Button type="submit" isLoading={isSubmitting} loadingLabel={isSlow ? 'Still sending …' : undefined} {...props}>
      {children}
    </Button>
  );
}

type ErrorSummaryProps = {
  /** In field order; `field` is passed to `onSelect`. */
  problems: readonly { field: string; message: string }[];
  /** Moves the focus to the field. */
  onSelect: (field: string) => void;
};

/** Error summary of a form; each entry links to its field (C-113). */
export function ErrorSummary({ problems, onSelect }: ErrorSummaryProps) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="What to correct" className="grid gap-2 rounded-card border border-danger bg-card p-4">
      <h2 className="text-base">
        {problems.length === 1 ? 'One thing to correct' : `${problems.length} things to correct`}
      </h2>
      <ul className="grid gap-1">
        {problems.map(({ field, message }) => (
          <li key={field}>
            <button
              type="button"
              onClick={() => onSelect(field)}
              className="min-h-6 text-left text-danger text-sm underline underline-offset-2 [overflow-wrap:anywhere] hover:no-underline"
            >
              {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
