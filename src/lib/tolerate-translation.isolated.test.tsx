import { render, screen } from '@testing-library/react';
import { tolerateTranslation } from './tolerate-translation';

/** What a translator does to a page: each text becomes an element. */
function translate(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const translated = document.createElement('font');
    translated.textContent = text.data.toUpperCase();
    text.replaceWith(translated);
  }
}

function Line({ isLate }: { isLate: boolean }) {
  return (
    <p>
      <b>Proofs</b>
      {isLate && <i>late</i>}
      at the desk
      {!isLate && ', none of them late'}
      <span>{isLate ? 'two' : 'zero'}</span>
    </p>
  );
}

it('React can remove and insert where a translator has replaced the texts', () => {
  tolerateTranslation();
  const { container, rerender } = render(<Line isLate={false} />);
  translate(container);
  rerender(<Line isLate />);
  expect(screen.getByText('late')).toBeInTheDocument();
  expect(screen.getByText('two')).toBeInTheDocument();
  translate(container);
  rerender(<Line isLate={false} />);
  expect(screen.queryByText('LATE')).not.toBeInTheDocument();
  expect(screen.getByText('zero')).toBeInTheDocument();
});
