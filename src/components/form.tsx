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
