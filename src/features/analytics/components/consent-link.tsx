import { readConsent, setConsent, useConsent } from '../consent';

function turnOn() {
  setConsent(null);
  // The browser may still say no by itself; the person who presses the button says yes.
  if (readConsent() === 'denied') setConsent('granted');
}

/** In the footer: turns counting off, or on again; where an outside script is configured, on asks first. */
export function ConsentLink({ className }: { className?: string }) {
  const isOff = useConsent() === 'denied';
  return (
    <button type="button" className={className} onClick={() => (isOff ? turnOn() : setConsent('denied'))}>
      Statistics: {isOff ? 'off' : 'on'}
    </button>
  );
}
