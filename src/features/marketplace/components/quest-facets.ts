import type { QuestFacets } from '@/features/quests';
import { useUrlText } from '@/lib/url-state';

/** Reward ranges by their name in the URL: minimum, and maximum if there is one. */
export const rewardRanges = [
  { value: '1-10', label: 'Up to 10 points' },
  { value: '11-25', label: '11 to 25 points' },
  { value: '26-50', label: '26 to 50 points' },
  { value: '51-', label: 'More than 50 points' },
] as const;

export const proofKinds = [
  { value: 'screenshot', label: 'Screenshot' },
  { value: 'link', label: 'Link' },
  { value: 'text', label: 'Text' },
] as const;

/** Duration ranges by their name in the URL. */
export const timeRanges: readonly { value: string; label: string; minMinutes?: number; maxMinutes?: number }[] = [
  { value: '5', label: 'Up to 5 minutes', maxMinutes: 5 },
  { value: '15', label: 'Up to 15 minutes', maxMinutes: 15 },
  { value: 'longer', label: 'More than 15 minutes', minMinutes: 16 },
];

/** Names of the parameters in the URL. */
export const facetNames = ['reward', 'proof', 'time', 'industry', 'press', 'done'] as const;

const known = <Value extends string>(choices: readonly { value: Value }[], value: string): Value | undefined =>
  choices.find((choice) => choice.value === value)?.value;

/** Parses the facets from the URL. Unknown values are ignored, and so are the members' facets for anybody else. */
export function useQuestFacets(industries: readonly string[], isMember: boolean) {
  const [reward, setReward] = useUrlText('reward');
  const [proof, setProof] = useUrlText('proof');
  const [time, setTime] = useUrlText('time');
  const [industry, setIndustry] = useUrlText('industry');
  const [press, setPress] = useUrlText('press');
  const [done, setDone] = useUrlText('done');
  const [from, to] = (known(rewardRanges, reward) ?? '').split('-');
  const timeRange = timeRanges.find(({ value }) => value === time);
  const facets: QuestFacets = {
    minReward: from ? Number(from) : undefined,
    maxReward: to ? Number(to) : undefined,
    proof: known(proofKinds, proof),
    minMinutes: timeRange?.minMinutes,
    maxMinutes: timeRange?.maxMinutes,
    industry: industries.includes(industry) ? industry : undefined,
    isOnePress: press === '1' || undefined,
  };
  const isDoneHidden = isMember && done === 'hide';
  const chosen = [
    facets.minReward,
    facets.proof,
    timeRange,
    facets.industry,
    facets.isOnePress,
    isDoneHidden || undefined,
  ];
  return {
    facets,
    isDoneHidden,
    /** Number of active facets. */
    count: chosen.filter((value) => value !== undefined).length,
    values: { reward, proof, time, industry, press, done },
    setters: { setReward, setProof, setTime, setIndustry, setPress, setDone },
  };
}

export type QuestFacetState = ReturnType<typeof useQuestFacets>;
