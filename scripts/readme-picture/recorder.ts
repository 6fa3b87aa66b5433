import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** One frame of the animated picture, and for how long it is shown. */
export interface Shot {
  readonly file: string;
  readonly ms: number;
}

/** Acts on a page as a person does, and takes a screenshot of each step. */
export interface Recorder {
  readonly shots: readonly Shot[];
  /** Shows the page as it is now for `ms`. */
  hold(ms: number): Promise<void>;
  /** Moves the pointer to the middle of an element and clicks it. */
  click(target: Locator): Promise<void>;
  /** Types a text into a field, letter by letter. */
  type(target: Locator, text: string): Promise<void>;
  /** Shows the page at several moments, each for `ms`. */
  repeat(count: number, ms: number): Promise<void>;
  /** Shows the page at several moments, each for `ms`, until `until` resolves. */
  watch(until: Promise<unknown>, ms: number): Promise<void>;
}

/** How long one step of a movement is shown. All times are multiples of it, because ffmpeg reads images at 25 frames per second. */
const STEP_MS = 40;
const STEPS_OF_MOVE = 8;
const LETTER_MS = 80;

/** The mouse pointer, which screenshots do not have. */
const POINTER = `
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  globalThis.pointer = svg('svg', { viewBox: '0 0 16 24', width: 20, height: 30, 'aria-hidden': true });
  pointer.append(
    svg('path', { d: 'M1 1v17l4-4 3 7 3-1-3-7h6z', fill: '#111', stroke: '#fff', 'stroke-width': 1.2, 'stroke-linejoin': 'round' }),
  );
  Object.assign(pointer.style, { position: 'fixed', zIndex: 1000, left: 0, top: 0, pointerEvents: 'none' });
  document.body.append(pointer);
`;

/** Records a page that has loaded. Screenshots go to `folder`. */
export async function recordPage(page: Page, folder: string): Promise<Recorder> {
  const shots: Shot[] = [];
  let at = { x: 760, y: 560 };
  const show = ({ x, y }: typeof at): Promise<unknown> => page.evaluate(`pointer.style.translate = '${x}px ${y}px'`);
  await page.evaluate(POINTER);
  await show(at);
  const hold = async (ms: number): Promise<void> => {
    const file = join(folder, `${String(shots.length).padStart(4, '0')}.png`);
    await page.screenshot({ path: file, caret: 'initial' });
    shots.push({ file, ms });
  };
  return {
    shots,
    hold,
    async click(target) {
      const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [from, to] = [at, { x: x + width / 2, y: y + height / 2 }];
      for (let step = 1; step <= STEPS_OF_MOVE; step += 1) {
        const part = easeInOut(step / STEPS_OF_MOVE);
        at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
        await show(at);
        await page.mouse.move(at.x, at.y);
        await hold(STEP_MS);
      }
      await hold(STEP_MS * 5);
      await page.mouse.down();
      await page.mouse.up();
    },
    async type(target, text) {
      await target.focus();
      for (const letter of text) {
        await page.keyboard.type(letter);
        await hold(LETTER_MS);
      }
    },
    async repeat(count, ms) {
      for (let at = 0; at < count; at += 1) {
        await hold(ms);
        await sleep(ms);
      }
    },
    async watch(until, ms) {
      const ended = until.then(() => true);
      while (!(await Promise.race([ended, sleep(ms, false)]))) await hold(ms);
    },
  };
}

const easeInOut = (part: number): number => (1 - Math.cos(Math.PI * part)) / 2;
