import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import { Card } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { toast } from '@/components/ui/toast';
import { projectQueries } from '@/features/projects';
import { describeError } from '@/lib/errors';
import { useShownChoice } from '@/lib/use-shown-choice';
import { useSetMailPreference } from '../mutations';
import { type NotificationKind, notificationQueries } from '../queries';

type Choice = { kind: NotificationKind; label: string; hint?: string };

/** Groups of notification kinds; a test compares them with the database's enum. */
export const mailChoices: readonly { title: string; isForProjects?: boolean; choices: readonly Choice[] }[] = [
  {
    title: 'Your proofs and points',
    choices: [
      { kind: 'proof_approved', label: 'A proof is accepted' },
      { kind: 'proof_rejected', label: 'A proof is not accepted' },
      { kind: 'points_held', label: 'Points are held or released' },
      { kind: 'points_corrected', label: 'Points are taken back or corrected' },
      { kind: 'redemption_decided', label: 'A reward is ready or cancelled' },
      {
        kind: 'quest_published',
        label: 'A project that you follow has a new quest',
        hint: 'The projects that you follow are in My quests, under Following.',
      },
      { kind: 'referral_joined', label: 'Somebody joins with your link' },
    ],
  },
  {
    title: 'Your project',
    isForProjects: true,
    choices: [
      { kind: 'daily_digest', label: 'A summary of waiting proofs', hint: 'Once a day, when new ones have come.' },
      { kind: 'proofs_waiting', label: 'A first proof is waiting', hint: 'Once per quest, until you have looked.' },
      {
        kind: 'review_due',
        label: 'A proof is due soon, or was approved because nobody reviewed it in time',
      },
      { kind: 'quest_full', label: 'A quest is full' },
      { kind: 'quest_held', label: 'A quest is put on hold' },
      { kind: 'project_reviewed', label: 'Your project is verified or not' },
      { kind: 'plan_changed', label: 'Your plan or a payment changes' },
    ],
  },
  {
    title: 'Your account',
    choices: [
      { kind: 'account_suspended', label: 'Your account is suspended or reinstated' },
      { kind: 'appeal_decided', label: 'An appeal is made or decided' },
    ],
  },
];

/** Switches for notifications by mail; kinds about a project only for owners. The app shows all kinds (BEY-03). */
export function MailPreferences({ userId }: { userId: string }) {
  const preferences = useQuery(notificationQueries.preferences(userId));
  const project = useQuery(projectQueries.own(userId));

  return (
    <Card as="section" aria-labelledby="mail-preferences">
      <h2 id="mail-preferences" className="mb-2 text-xl">
        Notifications by email
      </h2>
      <p className="mb-3 text-muted">The bell shows everything. Choose what also comes by email.</p>
      <QueryView query={[preferences, project]} failure="Your choices could not be loaded">
        {([rows, ownProject]) => {
          const groups = mailChoices.filter(({ isForProjects }) => !isForProjects || ownProject !== null);
          const mailed = new Set(rows.filter((row) => row.is_mailed).map((row) => row.kind));
          return (
            <div className="grid gap-4">
              {groups.map(({ title, choices }) => (
                <fieldset key={title}>
                  <legend className="font-semibold">{title}</legend>
                  {choices.map((choice) => (
                    <MailSwitch key={choice.kind} {...choice} isMailed={mailed.has(choice.kind)} />
                  ))}
                </fieldset>
              ))}
            </div>
          );
        }}
      </QueryView>
    </Card>
  );
}

/** Has a mutation of its own, so that one switch that is being saved does not hide the next one's state or failure. */
function MailSwitch({ kind, label, hint, isMailed }: Choice & { isMailed: boolean }) {
  const { mutateAsync } = useSetMailPreference(kind);
  const [isOn, choose] = useShownChoice(isMailed, (next) =>
    mutateAsync(next).catch((error) => toast.error(describeError(error))),
  );
  return <Checkbox label={label} hint={hint} checked={isOn} onChange={choose} />;
}
