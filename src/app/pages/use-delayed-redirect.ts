import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Milliseconds that a signed-in visitor can read before being taken on (AUTH-05, AUTH-06). */
const authRedirectDelay = 3000;

/** Goes to `to` after the delay, unless the visitor leaves before. Null: where to is not known yet. */
export function useDelayedRedirect(to: string | null, delay = authRedirectDelay): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to === null) return;
    const timer = setTimeout(() => navigate(to, { replace: true }), delay);
    return () => clearTimeout(timer);
  }, [navigate, to, delay]);
}
