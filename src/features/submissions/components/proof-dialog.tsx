import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/components/ui/toast';
import type { Task } from '@/features/campaigns';
import { completedMessage } from '../completed-message';
import type { Submission } from '../queries';
import { ProofForm, type ProofFormProps } from './proof-form';

const titles = { link: 'Link Proof', text: 'Text Proof', screenshot: 'Screenshot Proof' } as const;

type ProofDialogProps = Omit<ProofFormProps, 'onSubmitted' | 'onCancel' | 'task'> & {
  task: ProofFormProps['task'] & Pick<Task, 'title'>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSubmitted?: (submission: Submission) => void;
};

/** Where a member proves a task; closes when the proof has been accepted (QUEST-16..18). */
export function ProofDialog({ isOpen, onOpenChange, onSubmitted, task, ...rest }: ProofDialogProps) {
  const handleSubmitted = (submission: Submission) => {
    onOpenChange(false);
    toast.success(completedMessage(submission));
    onSubmitted?.(submission);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={task.requires_proof ? titles[task.proof_type] : 'Submit Proof'}
      description={task.title}
    >
      <ProofForm {...rest} task={task} onSubmitted={handleSubmitted} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}
