import type { AppSettings } from '@/features/settings';
import { formatNumber, formatUsd } from '@/lib/format';

export type SettingKey = Exclude<keyof AppSettings, 'id' | 'updated_at'>;
type KeyOf<Value> = { [Key in SettingKey]: AppSettings[Key] extends Value ? Key : never }[SettingKey];

export type SwitchField = { kind: 'switch'; key: KeyOf<boolean>; label: string; hint: string; warning?: string };
export type NumberField = {
  kind: 'number';
  key: KeyOf<number>;
  label: string;
  hint: string;
  min: number;
  max: number;
  /** Stored in US cents, typed in dollars. */
  isMoney?: boolean;
  /** Consequence of a change, to be confirmed before saving. */
  warning?: string;
};
export type SettingField = SwitchField | NumberField;
export type SettingGroup = { title: string; fields: readonly SettingField[] };

const million = 1_000_000;

/** Every setting an admin may change; update_app_settings enforces the same ranges. */
export const settingGroups: readonly SettingGroup[] = [
  {
    title: 'Beta',
    fields: [
      {
        kind: 'switch',
        key: 'beta_mode',
        label: 'Beta mode',
        hint: 'On: proofs are approved and projects verified at once, and every project keeps to the trial limits.',
        warning: 'Beta mode decides whether people review proofs and projects.',
      },
      {
        kind: 'number',
        key: 'trial_quest_limit',
        label: 'Quests on trial',
        hint: 'How many quests a project on trial may have, drafts included.',
        min: 0,
        max: 1000,
        warning: 'Projects above a lower limit keep their quests but cannot create more.',
      },
      {
        kind: 'number',
        key: 'trial_budget_points',
        label: 'Trial budget',
        hint: 'Points a project gets once when it is verified, and the most its quests may cost together on trial.',
        min: 0,
        max: million,
        warning: 'Every project verified from now on gets this many points.',
      },
    ],
  },
  {
    title: 'Bonuses and limits',
    fields: [
      {
        kind: 'number',
        key: 'referrer_points',
        label: 'Points for the referrer',
        hint: 'Paid once for each member somebody brings.',
        min: 0,
        max: 100_000,
        warning: 'Points are worth rewards. Every referral from now on pays this much.',
      },
      {
        kind: 'number',
        key: 'referred_points',
        label: 'Points for the new member',
        hint: 'Paid once to the member who came through a link.',
        min: 0,
        max: 100_000,
        warning: 'Points are worth rewards. Every referral from now on pays this much.',
      },
      {
        kind: 'number',
        key: 'paid_referrals_per_day',
        label: 'Paid referrals per day',
        hint: 'How many referrals one member is paid for in a day (UTC). More are refused until tomorrow. To pay for none, set the points to 0.',
        min: 1,
        max: 100_000,
        warning: 'A high limit makes it easier to collect points with made-up accounts.',
      },
      {
        kind: 'number',
        key: 'submissions_per_minute',
        label: 'Proofs per minute',
        hint: 'How many proofs one member may send in any minute.',
        min: 1,
        max: 600,
        warning: 'A high limit makes it easier to collect points with scripts.',
      },
    ],
  },
  {
    title: 'Uploads',
    fields: [
      {
        kind: 'number',
        key: 'proof_files_per_person',
        label: 'Screenshots per member',
        hint: 'How many proof pictures one member may keep.',
        min: 1,
        max: 100_000,
      },
      {
        kind: 'number',
        key: 'proof_megabytes_per_person',
        label: 'Screenshot storage, in MB',
        hint: 'How much one member’s proof pictures may take up.',
        min: 1,
        max: 100_000,
      },
      {
        kind: 'number',
        key: 'project_changes_per_hour',
        label: 'Project changes per hour',
        hint: 'How often one person may create, edit or delete a project in any hour.',
        min: 1,
        max: 10_000,
      },
      {
        kind: 'number',
        key: 'quest_creations_per_hour',
        label: 'New quests per hour',
        hint: 'How many quests one person may create in any hour.',
        min: 1,
        max: 10_000,
      },
      {
        kind: 'number',
        key: 'quest_changes_per_hour',
        label: 'Quest changes per hour',
        hint: 'How often one person may edit, publish, pause, close or delete quests in any hour.',
        min: 1,
        max: 10_000,
      },
      {
        kind: 'number',
        key: 'logo_files_per_person',
        label: 'Logo files per person',
        hint: 'Old logos are removed automatically after a day.',
        min: 1,
        max: 1000,
      },
      {
        kind: 'number',
        key: 'logo_megabytes_per_person',
        label: 'Logo storage, in MB',
        hint: 'How much one person’s logo files may take up.',
        min: 1,
        max: 10_000,
      },
    ],
  },
  {
    title: 'OG Lifetime plan',
    fields: [
      {
        kind: 'number',
        key: 'og_slots',
        label: 'Slots',
        hint: 'How many projects can buy the plan in total.',
        min: 0,
        max: 100_000,
      },
      {
        kind: 'number',
        key: 'og_price_cents',
        label: 'Price in US$',
        hint: 'What the next buyer pays.',
        min: 50,
        max: 99_999_999,
        isMoney: true,
        warning: 'The next checkout charges this price.',
      },
      {
        kind: 'number',
        key: 'og_original_price_cents',
        label: 'Previous price, in US$',
        hint: 'The struck-through price beside it.',
        min: 1,
        max: 100 * million,
        isMoney: true,
      },
    ],
  },
  {
    title: 'Point packs',
    fields: (['small', 'medium', 'large'] as const).flatMap((size): NumberField[] => [
      {
        kind: 'number',
        key: `pack_${size}_points`,
        label: `Points in the ${size} pack`,
        hint: 'What a project gets for it. 0: the pack is not sold.',
        min: 0,
        max: million,
        warning: 'Points are worth rewards. The next checkout sells this many.',
      },
      {
        kind: 'number',
        key: `pack_${size}_cents`,
        label: `Price of the ${size} pack in US$`,
        hint: 'Without tax. What the next buyer pays.',
        min: 50,
        max: 99_999_999,
        isMoney: true,
        warning: 'The next checkout charges this price.',
      },
    ]),
  },
  {
    title: 'Features',
    fields: [
      {
        kind: 'switch',
        key: 'rewards_enabled',
        label: 'Rewards',
        hint: 'Off: the list of rewards is empty and nothing can be redeemed.',
        warning: 'Members cannot redeem anything while rewards are off.',
      },
      { kind: 'switch', key: 'leaderboard_enabled', label: 'Leaderboard', hint: 'Off: the leaderboard shows nobody.' },
      {
        kind: 'switch',
        key: 'treat_unverified_as_verified',
        label: 'Treat unverified founders as verified',
        hint: 'Opens the screens of verified founders to unverified ones. What they may do is still checked.',
      },
    ],
  },
  {
    title: 'Figures on the home page',
    fields: [
      {
        kind: 'number',
        key: 'member_count_base',
        label: 'Member count to start from',
        hint: 'Added to the number of members that is shown.',
        min: 0,
        max: 100 * million,
      },
      {
        kind: 'number',
        key: 'member_floor',
        label: 'Minimum members shown',
        hint: 'A smaller count is never shown.',
        min: 0,
        max: 100 * million,
      },
      {
        kind: 'number',
        key: 'quest_floor',
        label: 'Minimum quests shown',
        hint: 'A smaller count is never shown.',
        min: 0,
        max: 100 * million,
      },
      {
        kind: 'number',
        key: 'points_floor',
        label: 'Minimum points shown',
        hint: 'A smaller sum is never shown.',
        min: 0,
        max: 1000 * million,
      },
    ],
  },
];

export const settingFields = settingGroups.flatMap((group) => group.fields);

/** Form values of the settings: numbers are strings while they are edited. */
export type SettingsForm = Record<KeyOf<number>, string> & Record<KeyOf<boolean>, boolean>;

export function settingsForm(settings: AppSettings): SettingsForm {
  const entries = settingFields.map((field) => {
    if (field.kind === 'switch') return [field.key, settings[field.key]];
    return [field.key, String(field.isMoney ? settings[field.key] / 100 : settings[field.key])];
  });
  return Object.fromEntries(entries) as SettingsForm;
}

/** The stored form of a number field; null when it is not a number. */
function storedNumber(field: NumberField, text: string): number | null {
  const pattern = field.isMoney ? /^\s*\d+([.]\d{1,2})?\s*$/ : /^\s*\d+\s*$/;
  return pattern.test(text) ? Math.round(Number(text) * (field.isMoney ? 100 : 1)) : null;
}

/** Error of a number field, undefined when it is valid. */
export function numberProblem(field: NumberField, text: string): string | undefined {
  const value = storedNumber(field, text);
  if (value === null)
    return field.isMoney ? 'Please enter an amount such as 99 or 4.50' : 'Please enter a whole number';
  if (value >= field.min && value <= field.max) return undefined;
  const shown = field.isMoney ? formatUsd : formatNumber;
  return `Please enter ${field.isMoney ? 'an amount' : 'a number'} from ${shown(field.min)} to ${shown(field.max)}`;
}

export type SettingChange = { field: SettingField; from: string; to: string; value: number | boolean };

/** The changes that saving would make, in form order, without invalid numbers, which the form refuses first. */
export function changedSettings(settings: AppSettings, form: SettingsForm): SettingChange[] {
  const old = settingsForm(settings);
  const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');
  return settingFields.flatMap((field): SettingChange[] => {
    if (field.kind === 'switch') {
      const [from, to] = [old[field.key], form[field.key]];
      return from === to ? [] : [{ field, from: onOff(from), to: onOff(to), value: to }];
    }
    const value = storedNumber(field, form[field.key]);
    if (value === null || value === settings[field.key]) return [];
    return [{ field, from: old[field.key], to: form[field.key].trim(), value }];
  });
}
