import type { ComponentProps, ReactNode } from 'react';
import { Button } from '@/components/ui/button';

/** A form that never reloads the page on submit; native validation is off because fields show their errors. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={props.className ?? 'grid max-w-form gap-5'} />;
}

/** The submit button: shows that the form is being submitted and ignores further clicks. */
export function SubmitButton({
  isSubmitting,
  children,
  ...props
}: { isSubmitting: boolean; children: ReactNode } & ComponentProps<typeof Button>) {
  return (
    <Button type="submit" isLoading={isSubmitting} {...props}>
      {children}
    </Button>
  );
}
