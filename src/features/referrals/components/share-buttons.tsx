import { Mail, MessageCircle, QrCode, Send, Share } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { invitation, messengerUrls, shareOnXUrl } from '../share-links';
import { QrDialog } from './qr-dialog';

const icons: Readonly<Record<string, typeof Mail>> = { WhatsApp: MessageCircle, Telegram: Send, Email: Mail };

/** The device's own share sheet where it has one, X, messengers, and a code to scan. */
export function ShareButtons({ link }: { link: string }) {
  const [isScanning, setIsScanning] = useState(false);
  // Few desktop browsers have a share sheet; then its button is not there.
  const canShare = typeof navigator.share === 'function';
  const handleShare = async () => {
    try {
      await navigator.share({ title: 'Questboard', text: invitation, url: link });
    } catch (error) {
      // Closing the sheet is no failure; where it cannot be opened, the other ways stand beside it.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return (
    <div className="grid gap-3">
      {canShare && (
        <Button onClick={handleShare}>
          <Share aria-hidden="true" />
          Share your link
        </Button>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Button variant={canShare ? 'secondary' : 'primary'} className="col-span-2" asChild>
          <a href={shareOnXUrl(link)} target="_blank" rel="noopener">
            <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
              <path d="M17.7 3h3.1l-6.8 7.7L22 21h-6.2l-4.9-6.4L5.3 21H2.2l7.2-8.3L1.8 3h6.4l4.4 5.9zm-1.1 16.2h1.7L7.3 4.7H5.5z" />
            </svg>
            Share on X
          </a>
        </Button>
        {messengerUrls(link).map(({ name, href }) => {
          const Icon = icons[name] ?? Send;
          return (
            <Button key={name} variant="secondary" asChild>
              <a href={href} target="_blank" rel="noopener">
                <Icon aria-hidden="true" />
                {name}
              </a>
            </Button>
          );
        })}
        <Button variant="secondary" onClick={() => setIsScanning(true)}>
          <QrCode aria-hidden="true" />
          QR code
        </Button>
      </div>
      <QrDialog link={link} isOpen={isScanning} onOpenChange={setIsScanning} />
    </div>
  );
}
