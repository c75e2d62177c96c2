/**
 * Writes corpus.json: 40 planted frauds of seven kinds among 400 honest submissions that look similar for honest
 * reasons. Everything in it is made up, and deterministic: `node supabase/tests/flags/make-corpus.ts`.
 */
import { writeFileSync } from 'node:fs';
import {
  CORPUS_FILE,
  type Corpus,
  type CorpusMember,
  type CorpusQuest,
  type CorpusSubmission,
  type Drawing,
  type FraudKind,
} from './corpus.ts';
import {
  CORPUS_QUESTS,
  FIRST_NAMES,
  LAST_NAMES,
  MAIL_HOSTS,
  opinion,
  QUOTED,
  SHORT_TEXTS,
  TOWNS,
} from './corpus-texts.ts';
import { numbers } from './random.ts';

const DAY = 86_400;

export function makeCorpus(): Corpus {
  const random = numbers(20_260_101);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const digits = (length: number): string =>
    Array.from({ length }, (_, index) => String(Math.floor(random() * 9) + (index === 0 ? 1 : 0))).join('');
  const members: CorpusMember[] = [];
  const quests: CorpusQuest[] = [];
  const submissions: CorpusSubmission[] = [];

  const member = (options: Partial<CorpusMember> = {}): string => {
    const id = `corpus_${String(members.length + 1).padStart(3, '0')}`;
    const name = `${pick(FIRST_NAMES)}.${pick(LAST_NAMES)}`.toLowerCase();
    members.push({
      id,
      email: `${name}${members.length}@${pick(MAIL_HOSTS)}`,
      joinedBefore: 2 * DAY + Math.floor(random() * 90 * DAY),
      ...options,
    });
    return id;
  };
  const submit = (row: Omit<CorpusSubmission, 'at' | 'member' | 'fraud'> & Partial<CorpusSubmission>): string => {
    const by = row.member ?? member();
    submissions.push({ at: Math.floor(random() * 3 * DAY), fraud: null, ...row, member: by });
    return by;
  };
  const times = (count: number, make: (index: number) => void): void => {
    for (let index = 0; index < count; index += 1) make(index);
  };
  const ownerOf = (id: string): string => quests.find((one) => one.id === id)?.owner as string;

  for (const [id, text] of Object.entries(CORPUS_QUESTS)) quests.push({ id, owner: member(), ...text });
  const [visit, post, share, press, result, desk, hello, quote, review, form, tap] = Object.keys(CORPUS_QUESTS) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];

  // Honest: 400 ---------------------------------------------------------------------------------------------------------

  times(40, (index) =>
    submit({
      quest: visit,
      url: pick([
        'https://moonkettle.example/tour',
        'https://www.moonkettle.example/tour/',
        `https://moonkettle.example/tour?utm_source=mail${index}`,
        'http://moonkettle.example/tour#top',
      ]),
      note: 'the link that the task names',
    }),
  );
  times(20, () =>
    submit({
      quest: visit,
      url: pick([
        'https://moonkettle.example',
        'https://shop.moonkettle.example/kettles',
        'https://moonkettle.example/thanks?step=2',
      ]),
      note: 'a page of the project itself',
    }),
  );
  times(40, () =>
    submit({
      quest: post,
      url: `https://x.com/${pick(FIRST_NAMES).toLowerCase()}_grows/status/18${digits(17)}?s=20`,
      note: 'a post of one’s own, perhaps of a namesake',
    }),
  );
  times(15, (index) =>
    submit({
      quest: share,
      url: `https://app.gardenwall.example/#/page/${index + 1}`,
      note: 'an app with its pages in the fragment',
    }),
  );
  times(15, (index) =>
    submit({
      quest: share,
      url: `https://gardenwall.example/join?ref=${pick(LAST_NAMES).toLowerCase()}${index}&utm_medium=social`,
      note: 'an invitation link of one’s own',
    }),
  );
  times(10, (index) =>
    submit({
      quest: share,
      url: `https://gardenwall.example/view?id=${1000 + index}`,
      note: 'links that differ in one parameter',
    }),
  );

  times(30, (index) =>
    submit({
      quest: press,
      picture: {
        scene: 'button',
        seed: 7,
        person: index,
        edits: { brightness: index % 5, scale: 0.8 + (index % 4) / 10 },
      },
      note: 'the same button on each telephone',
    }),
  );
  times(14, (index) =>
    submit({
      quest: result,
      picture: { scene: 'page', seed: 11, person: index, edits: { brightness: index % 4, noise: 3 } },
      note: 'the same result page with another name',
    }),
  );
  times(2, (index) =>
    submit({
      quest: desk,
      picture: { scene: 'page', seed: 12, person: index, edits: { noise: 2 } },
      note: 'two who chose the same template',
    }),
  );
  times(34, (index) =>
    submit({ quest: desk, picture: { scene: 'page', seed: 100 + index, edits: {} }, note: 'a page of one’s own' }),
  );

  times(40, () => submit({ quest: hello, text: pick(SHORT_TEXTS), note: 'few words that many find' }));
  times(25, (index) =>
    submit({
      quest: quote,
      text: `${QUOTED.slice(QUOTED.indexOf('"') + 1, QUOTED.lastIndexOf('"'))} ${pick(FIRST_NAMES)} ${index}, ${pick(TOWNS)}`,
      note: 'repeats what the task asks to repeat',
    }),
  );
  times(30, () => submit({ quest: review, text: opinion(pick), note: 'an opinion of the same product' }));
  times(25, () =>
    submit({
      quest: form,
      text: `User name: ${pick(FIRST_NAMES)}${digits(3)}, order number: ${digits(8)}, town: ${pick(TOWNS)}`,
      note: 'a form filled in',
    }),
  );

  // A quest that takes seconds, done by members in the usual time.
  times(20, (index) => {
    const at = 2 * DAY + index * 400;
    submit({
      quest: tap,
      member: member({ joinedBefore: -(at - 14 - (index % 9)) }),
      at,
      text: 'lantern',
      note: 'a short task straight after signing up',
    });
  });
  // Five quests in five tabs, submitted together at the end.
  times(2, (index) => {
    const by = member();
    const at = DAY + index * 5000;
    submit({ quest: tap, member: by, at, text: 'lantern', note: 'first of several at once' });
    submit({ quest: hello, member: by, at: at + 3, text: pick(SHORT_TEXTS), note: 'several tabs, handed in together' });
    submit({
      quest: form,
      member: by,
      at: at + 7,
      text: `User name: tab${index}, order number: ${digits(8)}, town: ${pick(TOWNS)}`,
      note: 'several tabs, handed in together',
    });
    submit({ quest: review, member: by, at: at + 12, text: opinion(pick), note: 'several tabs, handed in together' });
  });
  // Families and friends: one refers the other and both do the same quests; addresses of one household that only look alike.
  times(6, (index) => {
    const family = pick(LAST_NAMES).toLowerCase();
    const first = member({ email: `${family}.a${index}@gmail.com` });
    const second = member({ email: `${family}.b${index}@gmail.com`, referrer: first });
    submit({ quest: hello, member: first, text: pick(SHORT_TEXTS), note: 'a family' });
    submit({ quest: hello, member: second, text: pick(SHORT_TEXTS), note: 'a family' });
  });
  // Referred by an owner, but doing another owner's quests; owners who do somebody else's quests.
  times(6, (index) =>
    submit({
      quest: hello,
      member: member({ referrer: ownerOf(index % 2 ? post : share) }),
      text: pick(SHORT_TEXTS),
      note: 'brought by the owner of another project',
    }),
  );
  times(4, (index) =>
    submit({
      quest: hello,
      member: ownerOf([visit, press, desk, form][index] as string),
      text: pick(SHORT_TEXTS),
      note: 'an owner who works for another project',
    }),
  );
  times(10, (index) =>
    submit({
      quest: hello,
      member: member({ email: `${digits(9)}${index}@privaterelay.appleid.com` }),
      text: pick(SHORT_TEXTS),
      note: 'Apple’s relay',
    }),
  );

  // Frauds: 40 ----------------------------------------------------------------------------------------------------------

  const fraud = (
    kind: FraudKind,
    row: Omit<CorpusSubmission, 'at' | 'member' | 'fraud'> & Partial<CorpusSubmission>,
  ): void => {
    submit({ at: 3 * DAY + submissions.length * 60, ...row, fraud: kind });
  };

  const stolen = submissions.filter((row) => row.quest === post && row.url).map((row) => row.url as string);
  const disguises: [string, (url: string) => string][] = [
    ['the very link', (url) => url],
    [
      'tracking and another scheme',
      (url) => `${url.replace('https:', 'http:').replace('?s=20', '')}?utm_campaign=a&fbclid=b`,
    ],
    ['the site’s old name', (url) => url.replace('x.com', 'www.twitter.com').replace('?s=20', '/')],
    ['the mobile site', (url) => url.replace('x.com', 'mobile.x.com').replace('?s=20', '#m')],
    ['in the text of another quest', (url) => url],
    ['another page of the same post', (url) => url.replace('?s=20', '/photo/1')],
  ];
  disguises.forEach(([note, disguise], index) => {
    const link = disguise(stolen[index * 5] as string);
    fraud(
      'link',
      index === 4
        ? { quest: review, text: `See here: ${link}, all of it is mine.`, note }
        : { quest: index === 3 ? share : post, url: link, note },
    );
  });

  times(6, (index) =>
    fraud('file', {
      quest: index % 2 ? desk : press,
      picture: { scene: 'page', seed: 100 + index, edits: {} },
      note: 'the very file',
    }),
  );
  const edits: [string, Drawing['edits']][] = [
    ['saved again', { noise: 6 }],
    ['half the size', { scale: 0.5 }],
    ['brighter', { brightness: 20 }],
    ['brighter and smaller', { brightness: 10, scale: 0.7, noise: 4 }],
    ['cut by a hair', { crop: 1 }],
    ['with a broad banner on top', { banner: true }],
  ];
  edits.forEach(([note, edit], index) => {
    fraud('picture', { quest: desk, picture: { scene: 'page', seed: 110 + index, edits: edit }, note });
  });

  const opinions = submissions
    .filter((row) => row.quest === review && row.text && !row.fraud)
    .map((row) => row.text as string);
  const rewordings: [string, (text: string) => string][] = [
    ['the very words', (text) => text],
    ['other case and marks', (text) => text.toUpperCase().replaceAll('.', ' !!')],
    ['another order', (text) => text.split('. ').reverse().join('. ')],
    ['two words more', (text) => `Hi team, ${text}`],
    ['typing errors', (text) => text.replace('the', 'teh').replace('planner', 'planer')],
    ['said in other words', () => 'Whoever works by lists will be at home here; only the printed sheet is missing.'],
  ];
  rewordings.forEach(([note, reword], index) => {
    fraud('text', { quest: review, text: reword(opinions[index * 5] as string), note });
  });

  times(5, (index) => {
    const at = 4 * DAY + index * 600;
    fraud('pace', {
      quest: tap,
      member: member({ joinedBefore: -(at - 1 - (index % 3)) }),
      at,
      text: 'lantern',
      note: 'seconds after signing up',
    });
  });

  fraud('relation', {
    quest: hello,
    member: member({ referrer: ownerOf(hello) }),
    text: 'all good',
    note: 'brought by the owner',
  });
  const between = member({ referrer: ownerOf(hello) });
  fraud('relation', {
    quest: hello,
    member: member({ referrer: between }),
    text: 'it works',
    note: 'brought by somebody whom the owner brought',
  });
  fraud('relation', {
    quest: hello,
    member: member({ email: sameMailbox(members, ownerOf(hello)) }),
    text: 'nice',
    note: 'the owner’s mailbox',
  });
  const twin = submissions.find((row) => row.quest === form)?.member as string;
  fraud('relation', {
    quest: form,
    member: member({ email: sameMailbox(members, twin) }),
    text: `User name: again, order number: ${digits(8)}, town: ${pick(TOWNS)}`,
    note: 'a second account of one mailbox',
  });
  const [one, other] = [ownerOf(result), ownerOf(tap)];
  fraud('relation', {
    quest: tap,
    member: one,
    text: 'lantern',
    note: 'owners who work for each other',
  });
  fraud('relation', { quest: result, member: other, text: 'done', note: 'owners who work for each other' });

  times(4, (index) =>
    fraud('mailbox', {
      quest: hello,
      member: member({
        email: `box${index}@${['mailinator.com', 'yopmail.com', 'sub.guerrillamail.com', 'temp-mail.org'][index]}`,
      }),
      text: pick(SHORT_TEXTS),
      note: 'an address to throw away',
    }),
  );
  times(1, () =>
    fraud('mailbox', {
      quest: hello,
      member: member({ email: `juno+quests${digits(3)}@fastbox.example` }),
      text: 'ok',
      note: 'an alias',
    }),
  );

  submissions.sort((a, b) => a.at - b.at);
  return { quests, members, submissions };
}

/** Another spelling of a member's address: the same mailbox. */
function sameMailbox(members: readonly CorpusMember[], id: string): string {
  return (members.find((member) => member.id === id) as CorpusMember).email.replace('@', '+2@');
}

if (import.meta.main) writeFileSync(CORPUS_FILE, `${JSON.stringify(makeCorpus(), null, 1)}\n`);
