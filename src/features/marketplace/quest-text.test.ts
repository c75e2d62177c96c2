import { aboutText, leadText } from './quest-text';

const texts = (summary: string, details_md: string, ...instructions: string[]) => ({
  quest: { summary, details_md },
  tasks: instructions.map((instructions_md) => ({ instructions_md })),
});

it('C-71 a sentence repeated in a task is shown once, at the task', () => {
  const made = texts('Try it…', 'Try it out.\n\nTell us all.', 'Try it out.\n\nTell us all.\n\nhttps://example.com');
  expect([aboutText(made), leadText(made)]).toEqual(['', '']);
});

it('text that only the quest contains is shown', () => {
  const own = texts('A short walk.', 'We plan lanes.', '1. Walk. 2. Write.');
  expect([aboutText(own), leadText(own)]).toEqual(['We plan lanes.', 'A short walk.']);
});

it('details that repeat the summary are shown once, as the summary', () => {
  const twice = texts('A short walk.', 'A short  walk.', 'Go.');
  expect([aboutText(twice), leadText(twice)]).toEqual(['', 'A short walk.']);
});
