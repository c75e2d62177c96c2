import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { type EmailConsent, submissionQueries, useWithdrawConsent } from '@/features/submissions';
import { formatDate } from '@/lib/format';

/** Addresses that the member shares with projects, the consent given, and its withdrawal (BEY-10). */
export function SharedEmails({ userId }: { userId: string }) {
  const consents = useQuery(submissionQueries.consents(userId));
  const [chosen, setChosen] = useState<EmailConsent | null>(null);
  const withdraw = useWithdrawConsent();

  const handleWithdraw = async () => {
    if (!chosen) return;
    await withdraw.mutateAsync(chosen.id);
    toast.success(`${chosen.project_name} no longer has your address`);
  };

  return (
    <Card as="section" aria-labelledby="shared-emails">
      <h2 id="shared-emails" className="mb-2 text-xl">
        Shared addresses
      </h2>
      <QueryView
        query={consents}
        failure="Your shared addresses could not be loaded"
        pending={<Skeleton className="h-12" />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">You have shared your email address with no project.</p>
          ) : (
            <ul>
              {rows.map((consent) => (
                <li key={consent.id} className="grid justify-items-start gap-1 border-b py-3 last:border-b-0">
                  <p className="font-medium [overflow-wrap:anywhere]">{consent.project_name}</p>
                  <p className="text-muted text-sm [overflow-wrap:anywhere]">
                    {consent.email}, for “{consent.quest_title}”, on {formatDate(consent.given_at)}
                  </p>
                  <p className="text-sm [overflow-wrap:anywhere]">{consent.statement}</p>
                  {consent.withdrawn_at ? (
                    <p className="text-muted text-sm">Ended on {formatDate(consent.withdrawn_at)}</p>
                  ) : (
                    <Button
                      variant="secondary"
                      aria-label={`Take back the address from ${consent.project_name}`}
                      onClick={() => setChosen(consent)}
                    >
                      Take back
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <ConfirmDialog
        isOpen={chosen !== null}
        onOpenChange={(isOpen) => !isOpen && setChosen(null)}
        title={`Take your address back from ${chosen?.project_name ?? ''}?`}
        consequence="It leaves the project’s list and exports, and the project is asked to delete copies. Your points stay."
        confirmLabel="Take back"
        onConfirm={handleWithdraw}
      />
    </Card>
  );
}
