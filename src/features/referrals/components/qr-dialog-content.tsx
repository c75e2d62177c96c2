import { QRCodeSVG } from 'qrcode.react';
import { Dialog } from '@/components/ui/dialog';

export type QrDialogProps = { link: string; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** The link as a QR code; black on white in both themes, which cameras read best. */
export default function QrDialogContent({ link, isOpen, onOpenChange }: QrDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Scan to join"
      description="Ask someone next to you to point their camera here."
    >
      <QRCodeSVG
        value={link}
        role="img"
        title="QR code of your referral link"
        size={256}
        marginSize={4}
        bgColor="#ffffff"
        fgColor="#000000"
        className="mx-auto h-auto w-full max-w-64 rounded-control"
      />
      <p className="mt-3 text-center text-muted text-sm [overflow-wrap:anywhere]">{link}</p>
    </Dialog>
  );
}
