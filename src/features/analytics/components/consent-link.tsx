import { readConsent, setConsent, useConsent } from '../consent';

function turnOn() {
  setConsent(null);
  // Pressing the button is consent, even if the browser sends Global Privacy Control.
  if (readConsent() === 'denied') setConsent('granted');
}

/**
 * Footer link that turns analytics off or on again; with a third-party script configured, turning it on asks for
 * consent.
 */
export function ConsentLink() {
  const isOff = useConsent() === 'denied';
  return (
    <button
      type="button"
      className="inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4"
      onClick={() => (isOff ? turnOn() : setConsent('denied'))}
    >
      Statistics: {isOff ? 'off' : 'on'}
    </button>
  );
}
