import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useAlert } from './alert-dialogs';

/** How long the button says "Copied", in milliseconds. */
const copiedFor = 2000;

type CopyButtonProps = { text: string; label?: string; className?: string };

/** Copies a text; if the browser refuses, shows it for copying by hand. */
export function CopyButton({ text, label = 'Copy', className }: CopyButtonProps) {
  const alert = useAlert();
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      alert(`Failed to copy. Please manually copy: ${text}.`);
    }
  };

  return (
    <Button variant="secondary" onClick={handleCopy} className={className}>
      {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
