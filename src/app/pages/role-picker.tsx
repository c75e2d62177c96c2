import { Rocket, Users } from 'lucide-react';
import { RadioCards } from '@/components/ui/radio-cards';

export type PickedRole = 'community' | 'startup_unverified';

const options = [
  { value: 'community', title: 'Community Member', text: 'Complete quests and earn rewards', icon: Users },
  { value: 'startup_unverified', title: 'Startup', text: 'Launch growth campaigns', icon: Rocket },
] as const;

/** 'I am a …' (AUTH-02). */
export function RolePicker({ value, onChange }: { value: PickedRole; onChange: (role: PickedRole) => void }) {
  return <RadioCards label="I am a" options={options} value={value} onChange={onChange} />;
}
