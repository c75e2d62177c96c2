import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Delay before redirecting a signed-in visitor, in milliseconds (AUTH-05, AUTH-06). */
const authRedirectDelay = 3000;

/** Redirects to `to` after the delay, unless the visitor leaves before. Null: the target is not known yet. */
export function useDelayedRedirect(to: string | null, delay = authRedirectDelay): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to === null) return;
    const timer = setTimeout(() => navigate(to, { replace: true }), delay);
    return () => clearTimeout(timer);
  }, [navigate, to, delay]);
}
