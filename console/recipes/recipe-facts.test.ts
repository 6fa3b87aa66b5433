import type { RecipeDefinition } from '@telecine/client';
import { expect, test } from 'vitest';
import { allowedText, defaultText, recipeFacts } from './recipe-facts.ts';

const recipe = (
  parameters: RecipeDefinition['request']['parameters'],
  known: RecipeDefinition['arguments'] = {},
): RecipeDefinition => ({
  ...{ version: 1, title: 'Mine', description: 'Mine.', words: [], outputs: ['mp4'], arguments: known },
  inputs: [{ role: 'film', description: 'A film.' }],
  request: { parameters },
});

test('the streams are said with their codecs, also those that are copied or left out', () => {
  expect(recipeFacts(recipe({ 'c:v': 'libx264', 'c:a': 'copy' }))).toMatchObject({
    video: 'H.264 (libx264)',
    audio: 'copied',
  });
  expect(recipeFacts(recipe({ c: 'copy', an: '' }))).toMatchObject({ video: 'copied', audio: 'left out' });
  expect(recipeFacts(recipe({ 'c:a': { when: 'input.sounds', value: 'aac' } }))).toMatchObject({ audio: 'AAC' });
  expect(recipeFacts(recipe({ 'c:a': '{{bits}}' }))).toMatchObject({ audio: 'by the output and its arguments' });
});

test('the filters are those that run while no optional argument is sent, without those that only connect others', () => {
  const height = { type: 'number', min: 2, max: 100, description: 'The height.' } as const;
  const graph = {
    when: 'height',
    value: 'scale=-2:{{height}}',
    otherwise: 'fps=12,split[a][b];[a]palettegen[p];[b][p]paletteuse',
  };
  expect(recipeFacts(recipe({ vf: graph }, { height })).filters).toEqual(['fps', 'palettegen', 'paletteuse']);
  expect(recipeFacts(recipe({ vf: graph }, { height: { ...height, default: 50 } })).filters).toEqual(['scale']);
});

test('an argument that chooses a filter has its name in words', () => {
  expect(recipeFacts(recipe({ vf: '{{#size}}scale={{size}},{{/size}}{{theLook}}' })).filters).toEqual([
    'scale',
    'The look',
  ]);
});

test('values and defaults of arguments have their units', () => {
  const width = { type: 'number', min: 16, max: 1920, unit: 'px', default: 480, description: 'The width.' } as const;
  expect([allowedText(width), defaultText(width)]).toEqual(['16 to 1920\u00A0px', '480 px']);
  expect(defaultText({ type: 'time', default: '1:30', description: 'The start.' })).toBe('1:30');
  expect(defaultText({ type: 'flag', default: false, description: 'Whether it is mirrored.' })).toBe('no');
  expect(defaultText({ type: 'text', maxLength: 9, required: true, description: 'The text.' })).toBe('must be sent');
});
