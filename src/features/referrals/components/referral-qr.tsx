import { QRCodeSVG } from 'qrcode.react';

/** The link as a QR code; black on white in both themes, which cameras read best. A chunk of its own. */
export default function ReferralQr({ link }: { link: string }) {
  return (
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
  );
}
