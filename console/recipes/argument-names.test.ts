import type { RecipeDefinition } from '@telecine/client';
import { expect, test } from 'vitest';
import { freeName, nameOf, renamed } from './argument-names.ts';
import { withoutArgument } from './without-argument.ts';

const RECIPE: RecipeDefinition = {
  ...{ version: 1, title: 'House style', description: 'Ours.', words: [], outputs: ['mp4'] },
  inputs: [{ role: 'film', description: 'A film.', parameters: { ss: '{{start}}' } }],
  arguments: {
    start: { type: 'time', description: 'The start.' },
    height: { type: 'number', min: 16, max: 4320, default: 540, description: 'The height.' },
    looks: {
      type: 'choice',
      choices: { small: 'scale=-2:{{height}}', no: 'null' },
      default: 'no',
      description: 'Looks.',
    },
  },
  values: { rate: 'floor(height * input.height / max(height, 1))' },
  limits: { height: { max: 'input.height', reason: 'No more.' } },
  request: {
    parameters: {
      vf: 'scale=-2:{{height}}{{#start}},fade=st={{start}}{{/start}}{{#height|film}},null{{/height|film}}',
      crf: { when: 'height', value: '{{height}}', otherwise: '20' },
      movflags: '+faststart',
    },
    outputs: [
      { role: 'film', description: 'The film.', parameters: {} },
      { role: 'poster', description: 'A poster.', suffix: '.jpg', when: 'start', parameters: {} },
    ],
  },
};

test('a renamed argument is renamed wherever the recipe refers to it, and nowhere else', () => {
  const { values, limits, request, ...rest } = renamed(RECIPE, 'height', 'lines');
  expect(Object.keys(rest.arguments)).toEqual(['start', 'lines', 'looks']);
  expect(rest.arguments).toMatchObject({ looks: { choices: { small: 'scale=-2:{{lines}}' } } });
  expect(values).toEqual({ rate: 'floor(lines * input.height / max(lines, 1))' });
  expect(limits).toEqual({ lines: { max: 'input.height', reason: 'No more.' } });
  expect(request.parameters).toMatchObject({
    vf: 'scale=-2:{{lines}}{{#start}},fade=st={{start}}{{/start}}{{#lines|film}},null{{/lines|film}}',
    crf: { when: 'lines', value: '{{lines}}', otherwise: '20' },
  });
});

test('a renamed input keeps its references, and the outputs keep their names', () => {
  const { inputs, request } = renamed(RECIPE, 'film', 'source');
  expect(inputs[0]?.role).toBe('source');
  expect(request.parameters).toMatchObject({ vf: expect.stringContaining('{{#height|source}}') });
  expect(request.outputs?.[0]?.role).toBe('film');
});

test('the default takes the place of an argument that is removed', () => {
  const { request, values, limits, arguments: own } = withoutArgument(RECIPE, 'height');
  expect(Object.keys(own)).toEqual(['start', 'looks']);
  expect(request.parameters).toMatchObject({ vf: expect.stringMatching(/^scale=-2:540/), crf: '540' });
  expect(values).toEqual({ rate: 'floor((540) * input.height / max((540), 1))' });
  expect(limits).toEqual({});
});

test('without a default, what an argument sets is left out with it', () => {
  const { request, inputs } = withoutArgument(RECIPE, 'start');
  expect(inputs[0]?.parameters).toEqual({});
  expect(request.parameters['vf']).toBe('scale=-2:{{height}}{{#height|film}},null{{/height|film}}');
  expect(request.outputs).toHaveLength(1);
});

test('a name is made of the words of a person, and is free', () => {
  expect(nameOf('Frame height')).toBe('frameHeight');
  expect(nameOf('Höhe 2')).toBe('hohe2');
  expect(nameOf('720p')).toBe('');
  expect(freeName(RECIPE, 'height')).toBe('height2');
  expect(freeName(RECIPE, 'film')).toBe('film2');
  expect(freeName(RECIPE, 'rate')).toBe('rate2');
  expect(freeName(RECIPE, 'speed')).toBe('speed');
});
