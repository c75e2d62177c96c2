import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { cn } from '@/lib/cn';
import { phoneQuery, useMediaQuery } from '@/lib/use-media-query';
import { Button } from './button';
import { setToastHandler, type Toast, toastDuration } from './toast';

function ToastCard({ id, kind, text }: Omit<Toast, 'about'> & { id: string | number }) {
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={cn(
        // The library sets its own font on the container.
        'flex w-full items-center gap-3 rounded-card border border-l-4 bg-card py-1 pr-1 pl-4 font-sans shadow-card',
        kind === 'error' ? 'border-l-danger' : 'border-l-action',
      )}
    >
      <p className="grow py-2 font-medium">{text}</p>
      <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={() => sonner.dismiss(id)}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

function show({ kind, text, about }: Toast): void {
  // The text is the id, so that a repeated message refreshes its toast instead of stacking.
  const options = { id: about ?? `${kind}:${text}`, duration: toastDuration[kind] };
  // With the text as key a replaced toast is a new element, which screen readers announce.
  sonner.custom((id) => <ToastCard key={text} id={id} kind={kind} text={text} />, options);
}

/** Below the header. */
const phoneOffset = { top: '4.5rem' };

/**
 * Renders the toasts, on phones at the top, because what is pressed next is at the bottom there. Its
 * effect runs after the library has subscribed, so no queued toast is lost.
 */
export default function Toaster() {
  useEffect(() => setToastHandler(show), []);
  const isPhone = useMediaQuery(phoneQuery);
  return (
    <Sonner
      position={isPhone ? 'top-center' : 'bottom-right'}
      offset={isPhone ? phoneOffset : undefined}
      mobileOffset={phoneOffset}
      toastOptions={{ unstyled: true, className: 'w-full' }}
      containerAriaLabel="Messages"
    />
  );
}
