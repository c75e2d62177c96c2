import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useOneAtATime } from '@/lib/use-one-at-a-time';

/**
 * A form that never reloads the page on submit; native validation is off because fields show their errors. While the promise that
 * `onSubmit` returned is pending, it is not submitted again.
 */
export function Form({ onSubmit, className = 'grid max-w-form gap-5', ...props }: ComponentProps<'form'>) {
  const handleSubmit = useOneAtATime(onSubmit);
  return (
    <form
      noValidate
      {...props}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        handleSubmit(event);
      }}
    />
  );
}

/** Milliseconds after which a submit button says that it is still sending: by then a spinner alone looks like a page that hangs. */
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
    <Button type="submit" isLoading={isSubmitting} loadingLabel={isSlow ? 'Still sending…' : undefined} {...props}>
      {children}
    </Button>
  );
}
