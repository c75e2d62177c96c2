import { suggestionText } from './suggestion';

it.each([
  ['saved', null, 'Because you saved it'],
  ['topic', 'design', 'Because you like design quests'],
  ['interest', 'Fintech', 'Because you like Fintech quests'],
  ['industry', 'Gaming', 'Because you like Gaming quests'],
  ['followed', 'Paperkite', 'Because you follow Paperkite'],
  ['new_project', 'Paperkite', 'Because Paperkite is new here'],
  ['new', null, null],
  ['a reason from a later version', 'x', null],
])('BEY-18 the reason %s about %s is worded as %s', (reason, reason_subject, sentence) => {
  expect(suggestionText({ reason, reason_subject })).toBe(sentence);
});
