import { drawingOf } from './reward-picture';

it('draws a reward according to its title', () => {
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

it('falls back to the description, and then to a gift', () => {
  expect(drawingOf({ title: 'For you', description: 'A book of your choice' })).toBe('book');
  expect(drawingOf({ title: 'Surprise', description: 'Something nice' })).toBe('gift');
});
