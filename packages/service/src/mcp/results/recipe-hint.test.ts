import { expect, test } from 'vitest';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import { ALL_TOOLS } from '../tool-names.ts';
import { RECIPES_BY_HAND, recipeHint } from './recipe-hint.ts';

test('names only recipes that there are', () => {
  const names = BUILT_IN.map(({ name }) => name);
  expect(RECIPES_BY_HAND.filter((name) => !names.includes(name))).toEqual([]);
});

test.each<[Record<string, unknown>, string | undefined]>([
  [{ input: 'a.mp4', output: 'a/%v.m3u8', parameters: { var_stream_map: 'v:0 v:1' } }, 'hls'],
  [{ inputs: ['a.mp4', 'b.mp3'], output: 'c.mp4', parameters: { af: 'amix=inputs=2' } }, 'background-music'],
  [{ input: 'a.mp4', output: 'c.mp4', parameters: { pass: '1', crf: '23' } }, 'target-size'],
  [{ input: 'a.mp4', output: 'c.mp4', parameters: { crf: '99' } }, undefined],
  // The format and names of inputs, metadata and file names do not show what a call does.
  [{ input: 'live/index.m3u8', output: 'c.mp4', parameters: { crf: '99' } }, undefined],
  [{ input: 'concat.mp4', output: 'thumb%03d.jpg', metadata: { tile: 'x' }, parameters: { crf: '99' } }, undefined],
  [{ input: 'a.mp4', output: 'c.mp4', parameters: { vf: 'overlay '.repeat(100_000) } }, 'picture-in-picture'],
  [{ input: 'a.mp4', output: 'c.gif', preset: { name: 'giff' } }, undefined],
])('of %j', (call, name) => {
  expect(/"name": "([\w-]+)"/.exec(recipeHint(call, ALL_TOOLS) ?? '')?.[1]).toBe(name);
});
