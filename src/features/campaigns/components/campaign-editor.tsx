import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { Form, SubmitButton } from '@/components/form';
import { PageHeader, StickyAction } from '@/components/page-header';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { errorMessage } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { type CampaignFormValues, campaignPayload, campaignValues } from '../campaign-form';
import { campaignSchema, saveProblem } from '../campaign-schema';
import { useUpdateCampaign } from '../mutations';
import type { Campaign, Task } from '../queries';
import { CampaignDetails } from './campaign-details';
import { DeleteCampaign } from './delete-campaign';
import { HoldNotice } from './hold-notice';
import { TaskList } from './task-list';

/** The edit form of an own quest, from what is stored when it opens (QEDIT-03, QEDIT-14). */
export function CampaignEditor({ campaign, tasks }: { campaign: Campaign; tasks: Task[] }) {
  const form = useForm<CampaignFormValues>({
    resolver: zodResolver(campaignSchema),
    defaultValues: campaignValues(campaign, tasks),
    mode: 'onTouched',
  });
  const updateCampaign = useUpdateCampaign(campaign.id);
  const alert = useAlert();
  const navigate = useNavigate();
  const { isDirty, isSubmitting } = form.formState;
  const unsaved = useUnsavedChanges(isDirty);

  const save = async (values: CampaignFormValues) => {
    const problem = saveProblem(values);
    if (problem) return alert(problem);
    try {
      await updateCampaign.mutateAsync(campaignPayload(values));
    } catch (error) {
      return alert(`Failed to update campaign: ${errorMessage(error)}`);
    }
    unsaved.allowLeaving();
    toast.success('Quest saved');
    navigate(paths.startup);
  };
  const handleInvalid = () => {
    const problem = saveProblem(form.getValues());
    if (problem) alert(problem);
  };

  return (
    <FormProvider {...form}>
      {unsaved.dialog}
      <Form
        aria-label="Edit campaign"
        onSubmit={form.handleSubmit(save, handleInvalid)}
        className="mx-auto grid max-w-3xl gap-6"
      >
        <PageHeader
          title="Edit campaign"
          back={{ to: paths.startup, label: 'Back to Dashboard' }}
          actions={
            <>
              <DeleteCampaign campaign={campaign} onDeleted={unsaved.allowLeaving} />
              <SubmitButton isSubmitting={isSubmitting}>Save Changes</SubmitButton>
            </>
          }
        />
        <HoldNotice campaign={campaign} />
        <CampaignDetails status={campaign.status} />
        <TaskList stored={tasks} />
        <StickyAction>
          <SubmitButton isSubmitting={isSubmitting} className="max-sm:w-full">
            Save Quest
          </SubmitButton>
        </StickyAction>
      </Form>
    </FormProvider>
  );
}
