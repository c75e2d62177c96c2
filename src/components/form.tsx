import type { ComponentProps, ReactNode } from 'react';
import { Button } from '@/components/ui/button';

/** A form whose submit never reloads the page; browsers' own bubbles are off because fields show their errors. */
export function Form(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={props.className ?? 'grid max-w-form gap-5'} />;
}

/** The submit button: shows that the form is being sent and ignores further presses. */
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
