import { useEffect } from 'react';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { describeError } from '@/lib/errors';
import { useShowCode } from '../mutations';

type RewardCodeProps = {
  redemptionId: string;
  /** Right after redeeming; later it is shown when asked for, so that nobody reads it over a shoulder. */
  isShownAtOnce?: boolean;
};

/** The code of one's own redemption, to be read and copied (C-93). */
export function RewardCode({ redemptionId, isShownAtOnce = false }: RewardCodeProps) {
  const { mutate: showCode, data: code, error, isPending } = useShowCode();
  useEffect(() => {
    if (isShownAtOnce) showCode(redemptionId);
  }, [isShownAtOnce, redemptionId, showCode]);

  if (code === undefined) {
    return (
      <div className="grid justify-items-start gap-2">
        {error && <FieldError>{describeError(error, { prefix: 'Your code could not be read' })}</FieldError>}
        <Button variant="secondary" isLoading={isPending} onClick={() => showCode(redemptionId)}>
          Show code
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control bg-sunken p-3">
      <p className="min-w-0 grow">
        <span className="block text-muted text-sm">Your code</span>
        <code className="select-all break-all font-semibold text-lg">{code}</code>
      </p>
      <CopyButton text={code} label="Copy code" />
    </div>
  );
}
