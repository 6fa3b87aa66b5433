import { expect, test } from 'vitest';
import type { FinishedPass } from '../facts/finished-pass.ts';
import { MediaFacts } from '../facts/media-facts.ts';
import { readOptionFacts } from '../facts/option-facts.ts';
import { SIZE_RULES } from './sizes.ts';

const [LANDSCAPE, PORTRAIT, SMALL] = [
  { width: 320, height: 240 },
  { width: 240, height: 320 },
  { width: 160, height: 120 },
];

/** The warnings about a slideshow of images with these sizes. */
function warningsOf(argv: readonly string[], sizes: readonly { readonly width: number; readonly height: number }[]) {
  const images = { path: 'img/%d.png', field: '/input', sequence: { start: 1, count: sizes.length } };
  const plan = { inputs: [images], fields: {}, passes: [argv] } as unknown as FinishedPass['plan'];
  const complaints = { frameSizes: [{ input: 0, stream: 0, sizes }] };
  const outputStreams = [{ index: 0, type: 'video', ...SMALL }];
  const pass = { plan, complaints, outputStreams } as unknown as FinishedPass;
  const run = SIZE_RULES['varying-sizes']?.run;
  const found = run?.({ facts: new MediaFacts(plan, [], []), pass, options: readOptionFacts([]) });
  return [found ?? []].flat().map(({ message }) => message);
}

test('a slideshow of portrait and landscape images that is scaled to one size warns that it is stretched', () => {
  expect(warningsOf(['-filter:v', 'scale=160:120'], [LANDSCAPE, PORTRAIT])).toEqual([
    'The images of "img/%d.png" have different sizes (320x240, 240x320): ffmpeg scaled them to 160x120, and stretched frames of another shape.',
  ]);
});

test('a slideshow of images of one shape is scaled to the requested size without a warning', () => {
  expect(warningsOf(['-filter:v', 'scale=160:120'], [LANDSCAPE, SMALL])).toEqual([]);
});
