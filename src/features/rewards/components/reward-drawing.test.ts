import { drawingOf } from './reward-drawing';

it('draws a reward for what it is', () => {
  const drawn = (title: string, description = '') => drawingOf({ title, description });
  expect(drawn('Sticker sheet', 'Six stickers, sent by post.')).toBe('stickers');
  expect(drawn('Bakery voucher', 'One coffee and one pastry.')).toBe('bakery');
  expect(drawn('Audio drama pass')).toBe('audio');
  expect(drawn('Questboard mug', 'Holds tea and pencils.')).toBe('mug');
  expect(drawn('Repair café kit')).toBe('tools');
  expect(drawn('Team board game')).toBe('game');
  expect(drawn('One hour with a founder')).toBe('talk');
  expect(drawn('Weekend rail pass')).toBe('train');
});

it('looks at the description where the title says nothing, and draws a gift where neither does', () => {
  expect(drawingOf({ title: 'For you', description: 'A book of your choice' })).toBe('book');
  expect(drawingOf({ title: 'Surprise', description: 'Something nice' })).toBe('gift');
});
