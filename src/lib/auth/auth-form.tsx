import { use, useEffect, useRef } from 'react';
import { Spinner } from '@/components/ui/spinner';
import { AuthContext } from './session';

/** The hosted sign-in or sign-up form (AUTH-01), mounted here by the provider. `returnTo`: path to go to afterwards. */
export function AuthForm({ kind, returnTo }: { kind: 'sign-in' | 'sign-up'; returnTo: string }) {
  const { setFormSlot } = use(AuthContext);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (place.current) setFormSlot({ kind, element: place.current, returnTo });
    return () => setFormSlot(null);
  }, [kind, returnTo, setFormSlot]);

  return (
    <div className="min-h-56">
      <div ref={place} className="peer" />
      <div className="hidden justify-center py-16 peer-empty:flex">
        <Spinner label="Loading the form" className="text-action" />
      </div>
    </div>
  );
}
