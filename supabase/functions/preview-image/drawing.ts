import { display, drawable, shorten, text, widthOf, wrap } from './words.ts';

/** Size in pixels, as recommended for link previews. */
const WIDTH = 1200;
const HEIGHT = 630;

/** Texts and logo of a preview image. */
export interface Preview {
  /** Above the title: whose it is, or what. */
  label: string;
  title: string;
  points: number | null;
  /** Beside the points, or in their place. */
  note: string | null;
  /** A picture as a data URI; without one stands the first letter of `name`, if there is one. */
  logo: string | null;
  name: string | null;
}

/** What `get_page_facts` tells, as far as it is drawn. */
export interface PreviewFacts {
  title: string | null;
  project_name: string | null;
  reward_points: number | null;
  reward_title: string | null;
  open_quests: number | null;
  level: number | null;
}

export type PreviewKind = 'quest' | 'project' | 'member' | 'invitation';

export const defaultPreview: Preview = {
  label: 'Questboard',
  title: 'Quests that pay in points',
  points: null,
  note: 'Try new products, prove it, earn rewards',
  logo: null,
  name: null,
};

/** Texts of a page's preview image. */
export function previewOf(kind: PreviewKind, facts: PreviewFacts, logo: string | null): Preview {
  const { title, project_name: project, reward_points: points, reward_title: reward, open_quests, level } = facts;
  switch (kind) {
    case 'quest': {
      const name = drawable(project, text);
      const custom = drawable(reward, text);
      return {
        label: name ?? 'A quest on Questboard',
        title: drawable(title, display) ?? 'A quest for you',
        points: points || null,
        note: points && custom ? `+ ${custom}` : custom,
        logo,
        name,
      };
    }
    case 'project': {
      const name = drawable(title, display);
      return {
        label: 'Project on Questboard',
        title: name ?? 'A young project',
        points: null,
        note: open_quests ? `${format(open_quests)} open ${open_quests === 1 ? 'quest' : 'quests'}` : null,
        logo,
        name,
      };
    }
    case 'member': {
      const name = drawable(title, display);
      return {
        label: 'Member of Questboard',
        title: name ?? 'A member',
        points: null,
        note: `Level ${format(level ?? 1)}`,
        logo,
        name,
      };
    }
    case 'invitation':
      return {
        ...defaultPreview,
        label: 'You are invited',
        title: 'Small quests for new products',
        points: points || null,
        note: points ? 'for signing up' : defaultPreview.note,
      };
  }
}

const format = (count: number) => count.toLocaleString('en-US');

/** The app's light colours (src/styles/tokens.css). */
const COLOR = {
  paper: '#faf7f1',
  card: '#fffdf8',
  ink: '#1c1a16',
  muted: '#615a4d',
  line: '#e5dfd2',
  action: '#1f5c4a',
  actionSoft: '#e2ede6',
  coin: '#f0b84a',
};

const LEFT = 112;
const RIGHT = WIDTH - LEFT;
/** Middles of the rows at the head and at the foot of the card. */
const HEAD = 152;
const FOOT = 500;
/** Side of the logo. */
const TILE = 80;

/** Draws a quest card as SVG. All texts come from `drawable`, or are our own. */
export function drawPreview({ label, title, points, note, logo, name }: Preview): string {
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.paper}"/>`,
    `<rect x="48" y="62" width="${WIDTH - 96}" height="524" rx="28" fill="${COLOR.ink}" opacity="0.06"/>`,
    `<rect x="48" y="52" width="${WIDTH - 96}" height="524" rx="28" fill="${COLOR.card}" stroke="${COLOR.line}" stroke-width="2"/>`,
    `<circle cx="${WIDTH / 2}" cy="54" r="22" fill="${COLOR.coin}" stroke="${COLOR.paper}" stroke-width="8"/>`,
    ...drawTile(logo, name),
    ...drawLabel(label, logo || name ? LEFT + TILE + 26 : LEFT),
    ...drawTitle(title),
    ...drawFoot(points, note),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${parts.join('')}</svg>`;
}

function drawTile(logo: string | null, name: string | null): string[] {
  const place = `x="${LEFT}" y="${HEAD - TILE / 2}" width="${TILE}" height="${TILE}"`;
  if (logo) {
    return [
      `<clipPath id="logo"><rect ${place} rx="16"/></clipPath>`,
      `<rect ${place} rx="16" fill="#ffffff"/>`,
      `<image ${place} clip-path="url(#logo)" preserveAspectRatio="xMidYMid slice" href="${logo}"/>`,
      `<rect ${place} rx="16" fill="none" stroke="${COLOR.line}" stroke-width="2"/>`,
    ];
  }
  const initial = [...(name ?? '')][0]?.toUpperCase();
  if (!initial) return [];
  return [
    `<rect ${place} rx="16" fill="${COLOR.actionSoft}"/>`,
    write(initial, {
      x: LEFT + TILE / 2,
      y: HEAD + 17,
      size: 48,
      font: display,
      color: COLOR.action,
      anchor: 'middle',
    }),
  ];
}

/** Whose it is, and at the right whose board. */
function drawLabel(label: string, x: number): string[] {
  const brand = RIGHT - 64 - widthOf('Questboard', display, 36);
  const words = shorten(label, text, 38, brand - 40 - x);
  return [
    write(words, { x, y: HEAD + 13, size: 38, font: text, color: COLOR.muted }),
    `<g transform="translate(${brand} ${HEAD - 30}) scale(1.75)"><rect x="3" y="5" width="26" height="24" rx="5" fill="${COLOR.action}"/>`,
    `<rect x="8" y="11" width="16" height="13" rx="2" fill="${COLOR.card}"/><path d="m12 17.5 3 3 5.5-6" fill="none" `,
    `stroke="${COLOR.action}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`,
    `<circle cx="16" cy="6" r="4" fill="${COLOR.coin}" stroke="${COLOR.card}" stroke-width="1.5"/></g>`,
    write('Questboard', { x: brand + 64, y: HEAD + 13, size: 36, font: display, color: COLOR.action }),
  ];
}

/** The largest font size that fits three lines. */
function drawTitle(title: string): string[] {
  const width = RIGHT - LEFT;
  const fits = (size: number) => wrap(title, display, size, width, Number.POSITIVE_INFINITY).length <= 3;
  const size = [84, 72, 62].find(fits) ?? 56;
  const lines = wrap(title, display, size, width, 3);
  const lineHeight = size * 1.12;
  // Between the label and the foot, in the middle.
  const first = 330 - ((lines.length - 1) * lineHeight) / 2 + size * 0.34;
  return lines.map((line, index) =>
    write(line, { x: LEFT, y: first + index * lineHeight, size, font: display, color: COLOR.ink }),
  );
}

function drawFoot(points: number | null, note: string | null): string[] {
  const parts: string[] = [];
  let x = LEFT;
  if (points) {
    const amount = `${format(points)} points`;
    parts.push(
      `<g transform="translate(${x} ${FOOT - 28}) scale(2.8)"><circle cx="10" cy="10" r="9" fill="${COLOR.coin}"/>`,
      `<circle cx="10" cy="10" r="6.6" fill="none" stroke="${COLOR.ink}" stroke-width="1.2" opacity="0.55"/>`,
      `<path d="m7 10.2 2.2 2.2L13 8" fill="none" stroke="${COLOR.ink}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></g>`,
      write(amount, { x: x + 74, y: FOOT + 16, size: 46, font: display, color: COLOR.ink }),
    );
    x += 74 + widthOf(amount, display, 46) + 18;
  }
  if (note) {
    const words = shorten(note, text, 38, RIGHT - x);
    parts.push(write(words, { x, y: FOOT + 15, size: 38, font: text, color: COLOR.muted }));
  }
  return parts;
}

interface Writing {
  x: number;
  y: number;
  size: number;
  font: { family: string };
  color: string;
  anchor?: 'middle';
}

function write(words: string, { x, y, size, font, color, anchor }: Writing): string {
  const place = `x="${x}" y="${Math.round(y)}"${anchor ? ` text-anchor="${anchor}"` : ''}`;
  return `<text ${place} font-family="${font.family}" font-size="${size}" fill="${color}">${escapeXml(words)}</text>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeXml = (words: string) => words.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
