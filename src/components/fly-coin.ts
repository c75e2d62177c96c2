/** Duration of the animation in milliseconds. */
const flightTime = 800;

/**
 * Animates a coin from an element to the points in the header. Skipped with reduced motion, or when there is no target.
 */
export function flyCoin(from: Element): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const chip = document.querySelector('[data-points-chip]');
  if (!chip) return;
  const start = from.getBoundingClientRect();
  const end = chip.getBoundingClientRect();
  const coin = document.createElement('span');
  coin.setAttribute('aria-hidden', 'true');
  coin.className =
    'pointer-events-none fixed z-50 size-6 rounded-full border-2 border-on-points/50 bg-points shadow-card';
  coin.style.left = `${start.left + start.width / 2 - 12}px`;
  coin.style.top = `${start.top + start.height / 2 - 12}px`;
  document.body.append(coin);
  const x = end.left + end.width / 2 - (start.left + start.width / 2);
  const y = end.top + end.height / 2 - (start.top + start.height / 2);
  const flight = coin.animate(
    [
      { transform: 'scale(0.4)', opacity: 0 },
      { transform: `translate(${x * 0.15}px, ${y * 0.1 - 40}px) scale(1.6)`, opacity: 1, offset: 0.35 },
      { transform: `translate(${x}px, ${y}px) scale(0.6)`, opacity: 0.9 },
    ],
    { duration: flightTime, easing: 'cubic-bezier(0.5, 0, 0.3, 1)' },
  );
  flight.onfinish = () => coin.remove();
  flight.oncancel = () => coin.remove();
}
