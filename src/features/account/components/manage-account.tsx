import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { useOpenAccount } from '@/lib/auth';

/** The way to what the identity provider keeps: password, addresses, devices and the end of the account. */
export function ManageAccount() {
  const openAccount = useOpenAccount();
  return (
    <Card as="section" aria-labelledby="manage-account" className="grid justify-items-start gap-4">
      <div>
        <h2 id="manage-account" className="mb-2 text-xl">
          Sign-in
        </h2>
        <p className="text-muted">
          Your password, your addresses and the devices you are signed in on. You can delete your account there too:
          your name, your addresses and your proofs are removed, and your points cannot be brought back.
        </p>
      </div>
      <Button variant="secondary" onClick={openAccount}>
        Manage account
      </Button>
    </Card>
  );
}
