export const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Cleo',
  'Dario',
  'Elin',
  'Farid',
  'Gia',
  'Hugo',
  'Ines',
  'Jonas',
  'Kira',
  'Lior',
  'Mila',
  'Noor',
  'Otto',
  'Pia',
  'Quinn',
  'Rosa',
  'Sami',
  'Tove',
  'Uma',
  'Vito',
  'Wren',
  'Yara',
  'Zeno',
];
export const LAST_NAMES = [
  'Ashgrove',
  'Birchwater',
  'Copperfield',
  'Dunmoor',
  'Elderbank',
  'Foxglen',
  'Greyharbor',
  'Hollowell',
  'Ironbridge',
  'Juniper',
  'Kestrel',
  'Larkspur',
  'Mossley',
  'Northwick',
  'Oakenshaw',
  'Pennyroyal',
];
export const TOWNS = [
  'Altwick',
  'Brindle',
  'Carrow',
  'Dunholm',
  'Eastmere',
  'Fenby',
  'Glasterton',
  'Hexley',
  'Ivybridge',
  'Kirkdale',
  'Lowmoor',
  'Marsh End',
  'Nettleby',
  'Orford',
  'Pinewick',
  'Quarry Hill',
];
export const MAIL_HOSTS = ['fastbox.example', 'postbird.example', 'letterbarn.example', 'gmail.com', 'inkmail.example'];
export const SHORT_TEXTS = [
  'Done!',
  'done',
  'Signed up, works great',
  'Signed up. Works great!',
  'It went well',
  'all good',
  'Easy, thanks',
  'Works fine for me',
  'Works fine',
  'Signed up and it went fine',
  'Great app',
  'Quick and easy',
];
export const QUOTED =
  'Read the promise, then write it as your own words here, with your name and town: "I promise to switch off the light when I leave the room, to close the door softly behind me and to greet whoever I meet on the stairs."';

/** An opinion of three random sentences. */
export function opinion(pick: <T>(values: readonly T[]) => T): string {
  const liked = pick([
    'the week view',
    'the colours of the lists',
    'how quickly it opens',
    'the reminder in the morning',
    'dragging a task to another day',
    'the small bird when a list is done',
    'the search across months',
    'the shared family calendar',
  ]);
  const used = pick([
    'a house move',
    'my exam in botany',
    'our choir rehearsals',
    'the allotment',
    'two part-time jobs',
    'a trip to the coast',
    'the school run',
    'a kitchen that is being rebuilt',
  ]);
  const missed = pick([
    'a printed sheet',
    'repeating tasks every second week',
    'a dark theme that stays',
    'an undo after deleting',
    'tasks without a date',
    'a way to mute Sundays',
    'a widget for the telephone',
    'importing an old calendar',
  ]);
  const opening = pick([
    'I planned %u with it.',
    'For %u I used it all day.',
    'My test was %u.',
    'Tried it on %u, from breakfast to bed.',
    'As it happens %u came up this week.',
  ]).replace('%u', used);
  const praise = pick([
    'What I liked best was %l.',
    'The best part: %l.',
    'Big fan of %l.',
    'I keep showing people %l.',
    'Nothing beats %l so far.',
  ]).replace('%l', liked);
  const wish = pick([
    'What I missed is %m.',
    'Please add %m.',
    'It needs %m before I would pay.',
    'Still looking for %m.',
    'My partner asks for %m.',
  ]).replace('%m', missed);
  return `${opening} ${praise} ${wish}`;
}

/** The quests of the corpus by id. */
export const CORPUS_QUESTS = {
  visit: {
    website: 'https://www.moonkettle.example',
    title: 'See the kettle',
    instructions: 'Open https://moonkettle.example/tour and send us its address.',
  },
  post: {
    website: 'https://fernpost.example',
    title: 'Write about Fernpost',
    instructions: 'Write a post about what you grew this week and send its link.',
  },
  share: {
    website: 'https://tidepool.example',
    title: 'Join the pool',
    instructions: 'Make your own page in the pool and send its link.',
  },
  press: {
    website: 'https://lampwick.example',
    title: 'Press the button',
    instructions: 'Press "Light it" and send a screenshot of the button.',
  },
  result: {
    website: 'https://quillbox.example',
    title: 'Finish the quiz',
    instructions: 'Answer the ten questions and send a screenshot of the result page.',
  },
  desk: {
    website: 'https://deskbird.example',
    title: 'Show your desk',
    instructions: 'Send a screenshot of a page that you have built with Deskbird.',
  },
  hello: {
    website: 'https://pebbleroad.example',
    title: 'Say hello',
    instructions: 'Sign up and tell us in a few words how it went.',
  },
  quote: { website: 'https://harborlight.example', title: 'Repeat the promise', instructions: QUOTED },
  review: {
    website: 'https://cloudorchard.example',
    title: 'Tell us what you think',
    instructions: 'Use the planner for a day and tell us what you liked and what you missed.',
  },
  form: {
    website: 'https://papermill.example',
    title: 'Order a sample',
    instructions: 'Order the free sample. Send your user name, the order number and the town.',
  },
  tap: {
    website: 'https://snapgate.example',
    title: 'Tap through',
    instructions: 'Tap through the three screens and write the word at the end.',
  },
};
