import { expect, test } from 'vitest';
import type { Recipe } from './recipe.ts';
import { neededStreams } from './recipe-streams.ts';

const withMap = (map: unknown): Pick<Recipe, 'request'> => ({ request: { parameters: { map } } as Recipe['request'] });

test.each([
  ['0:s:{{index}}', ['subtitle']],
  [['0:v', '0:a?', '1:s'], ['video']],
  [
    ['0:v:0', '0:a', '0:v:1'],
    ['video', 'audio'],
  ],
  ['0', []],
  ['0:s?', []],
  ['{{#own}}0:a{{/own}}', []],
  [{ when: 'input.sounds', value: '0:a' }, []],
])('a recipe with the map %j needs %j', (map, kinds) => {
  expect(neededStreams(withMap(map))).toEqual(kinds);
});

test('a recipe without a map needs nothing, and an output that may be left out needs nothing either', () => {
  expect(neededStreams({ request: { parameters: {} } })).toEqual([]);
  const outputs = [{ parameters: { map: '0:v' } }, { when: 'sound', parameters: { map: '0:a' } }];
  expect(neededStreams({ request: { parameters: {}, outputs } as unknown as Recipe['request'] })).toEqual(['video']);
});
