import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { Form, SubmitButton } from '@/components/form';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, Input } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { type AppSettings, settingsQueries } from '@/features/settings';
import { cn } from '@/lib/cn';
import { describeError } from '@/lib/errors';
import { formatCount, formatDateTime } from '@/lib/format';
import { Section } from '../components/section';
import { useSaveSettings } from './mutations';
import { QuickActions } from './quick-actions';
import {
  changedSettings,
  numberProblem,
  type SettingChange,
  type SettingField,
  type SettingKey,
  type SettingsForm,
  settingFields,
  settingGroups,
  settingsForm,
} from './setting-fields';
import { SystemStatus } from './system-status';

/** System status, maintenance actions and product settings (ADMIN-12, C-54). */
export default function SettingsTab() {
  const settings = useQuery(settingsQueries.app());
  return (
    <div className="grid gap-5">
      <SystemStatus />
      <QuickActions />
      <QueryView query={settings} failure="The settings could not be loaded">
        {(row) => <ProductSettings settings={row} />}
      </QueryView>
    </div>
  );
}

const toastSubject = 'settings';

/** Product settings; dangerous changes need confirmation of their consequences. */
export function ProductSettings({ settings }: { settings: AppSettings }) {
  const save = useSaveSettings();
  // Only the edits are kept, because another admin may change the stored values meanwhile.
  const [edits, setEdits] = useState<Partial<SettingsForm>>({});
  const form = { ...settingsForm(settings), ...edits };
  const [isAsking, setIsAsking] = useState(false);
  const changes = changedSettings(settings, form);
  const problems = settingFields.filter((field) => field.kind === 'number' && numberProblem(field, form[field.key]));
  const isDirty = changes.length > 0 || problems.length > 0;
  const unsaved = useUnsavedChanges(isDirty);

  const handleSave = async () => {
    await save.mutateAsync({
      settings: Object.fromEntries(changes.map(({ field, value }) => [field.key, value])),
      shown: Object.fromEntries(changes.map(({ field }) => [field.key, settings[field.key]])),
    });
    // What was typed while it was being saved stays.
    setEdits((now) =>
      Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== form[key as SettingKey])),
    );
    toast.success('Settings saved', toastSubject);
  };
  const handleSubmit = (element: HTMLFormElement) => {
    // The form is longer than the screen, so that a wrong number may be out of sight.
    if (problems.length > 0) return element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    if (changes.length === 0) return;
    if (changes.some(({ field }) => field.warning)) return setIsAsking(true);
    return handleSave().catch((error) =>
      toast.error(describeError(error, { prefix: 'Failed to save the settings' }), toastSubject),
    );
  };

  return (
    <Section
      title="Product settings"
      lead={`Last changed ${formatDateTime(settings.updated_at)}. Every change is in the audit log.`}
    >
      {unsaved.dialog}
      <Form
        aria-label="Product settings"
        // The bar at the bottom would cover a field that the browser has scrolled to, or the hint and message below it.
        className="grid gap-8 [&_input]:scroll-mb-56"
        onSubmit={(event) => handleSubmit(event.currentTarget)}
      >
        {settingGroups.map(({ title, fields }) => (
          <fieldset key={title} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            <legend className="mb-3 font-bold font-display">{title}</legend>
            {fields.map((field) => (
              <SettingControl
                key={field.key}
                field={field}
                form={form}
                onChange={(value) => setEdits((old) => ({ ...old, [field.key]: value }))}
              />
            ))}
          </fieldset>
        ))}
        <div
          className={cn(
            '-mx-4 flex flex-wrap items-center gap-3 border-t bg-card px-4 pt-3 sm:-mx-5 sm:px-5',
            isDirty && 'sticky bottom-0 pb-3',
          )}
        >
          <SubmitButton isSubmitting={save.isPending} aria-disabled={!isDirty}>
            Save settings
          </SubmitButton>
          {isDirty && (
            <Button
              variant="ghost"
              onClick={({ currentTarget }) => {
                // It goes with the changes, and the focus with it.
                currentTarget.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
                setEdits({});
              }}
            >
              Discard
            </Button>
          )}
          <span role="status" className="text-muted">
            {problems.length > 0
              ? `${formatCount(problems.length, 'number')} to correct`
              : changes.length > 0 && formatCount(changes.length, 'unsaved change')}
          </span>
        </div>
      </Form>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Change these settings?"
        consequence="They take effect at once, for everyone."
        confirmLabel="Change settings"
        onConfirm={handleSave}
      >
        <ChangeList changes={changes} />
      </ConfirmDialog>
    </Section>
  );
}

type SettingControlProps = {
  field: SettingField;
  form: SettingsForm;
  onChange: (value: string | boolean) => void;
};

function SettingControl({ field, form, onChange }: SettingControlProps) {
  if (field.kind === 'switch') {
    return <Checkbox label={field.label} hint={field.hint} checked={form[field.key]} onChange={onChange} />;
  }
  return (
    <Field
      label={field.label}
      hint={field.hint}
      error={numberProblem(field, form[field.key])}
      className="content-start"
    >
      <Input
        inputMode={field.isMoney ? 'decimal' : 'numeric'}
        value={form[field.key]}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

function ChangeList({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <ul className="mt-4 grid gap-3">
      {changes.map(({ field, from, to }) => (
        <li key={field.key}>
          <p>
            <strong>{field.label}</strong>: {from} → {to}
          </p>
          {field.warning && <p className="text-muted text-sm">{field.warning}</p>}
        </li>
      ))}
    </ul>
  );
}
