import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';

type AuthLayoutProps = { title: string; text: string; children: ReactNode; footer: ReactNode };

/** The shared layout of signing in and signing up (AUTH-02, AUTH-04). */
export function AuthLayout({ title, text, children, footer }: AuthLayoutProps) {
  return (
    <div className="board-grain">
      <div className="mx-auto grid w-full max-w-lg gap-6 px-4 py-10">
        <div className="text-center">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-2 text-muted">{text}</p>
        </div>
        <Card className="grid gap-6 sm:p-6">{children}</Card>
        <p className="text-center">{footer}</p>
      </div>
    </div>
  );
}
