import type { Drawing } from './corpus.ts';
import { numbers } from './random.ts';

/** A phone screen at a quarter of its size. */
const WIDTH = 90;
const HEIGHT = 160;
const PAPER = 245;

/** RGBA, pixel by pixel. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Draws a screenshot of the corpus: the scene, the member's own part, and the edits made to the file. */
export function draw({ scene, seed, person, edits }: Drawing): Pixels {
  const screen = new Uint8Array(WIDTH * HEIGHT).fill(PAPER);
  const fill = (x: number, y: number, width: number, height: number, grey: number): void => {
    for (let row = y; row < Math.min(y + height, HEIGHT); row += 1) {
      screen.fill(grey, row * WIDTH + x, row * WIDTH + Math.min(x + width, WIDTH));
    }
  };
  const random = numbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  if (scene === 'button') fill(28, 76, 34, 9, 90);
  else {
    fill(0, 0, WIDTH, 14, below(120));
    for (let block = 0; block < 24; block += 1) {
      fill(below(70), 14 + below(130), 10 + below(40), 4 + below(26), below(256));
    }
  }
  if (person !== undefined) {
    const own = numbers(person + 1);
    fill(70, 2, 4 + Math.floor(own() * 12), 3, 30);
    fill(8, 20, 10 + Math.floor(own() * 30), 4, 60);
  }
  if (edits.banner) fill(0, 0, WIDTH, 60, 20);

  const { scale = 1, crop = 0, brightness = 0, noise = 0 } = edits;
  const [width, height] = [Math.round((WIDTH - 2 * crop) * scale), Math.round((HEIGHT - 2 * crop) * scale)];
  const jitter = numbers(seed * 31 + (person ?? 0));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (Math.floor(y / scale) + crop) * WIDTH + Math.floor(x / scale) + crop;
      const grey = (screen[from] ?? PAPER) + brightness + Math.round((jitter() - 0.5) * 2 * noise);
      data.set(
        [grey, grey, grey].map((value) => Math.max(0, Math.min(255, value))),
        (y * width + x) * 4,
      );
      data[(y * width + x) * 4 + 3] = 255;
    }
  }
  return { width, height, data };
}
