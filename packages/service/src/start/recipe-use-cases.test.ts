import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRecipeFiles } from './recipe-use-cases.ts';

const HOUSE_STYLE = {
  version: 3,
  title: 'House style',
  description: 'The format of our web pages.',
  words: ['ours'],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: { height: { type: 'number', min: 100, max: 1080, default: 540, description: 'The height.' } },
  request: { parameters: { 'c:v': 'libx264', vf: 'scale=-2:{{height}}' } },
};

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-recipes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const read = (files: Readonly<Record<string, unknown>>) => readRecipeFiles(folderWith(files), new Set(['gif']));

test('the files of the folder are recipes of the operator, and other files are ignored', () => {
  expect(read({ 'house-style.json': HOUSE_STYLE, 'notes.txt': 'x', '.hidden.json': '{' })).toEqual([
    { name: 'house-style', source: 'operator', ...HOUSE_STYLE },
  ]);
});

test.each<[what: string, file: string, content: unknown, message: RegExp]>([
  ['no JSON', 'a.json', '{\n  "version": 1,,\n}', /\/a\.json: .* at line 2, column \d+\.$/],
  ['an unknown field', 'a.json', { ...HOUSE_STYLE, wrods: [] }, /\/a\.json, at \/wrods: Unknown field "wrods"\./],
  ['no title', 'a.json', { ...HOUSE_STYLE, title: undefined }, /\/a\.json, at \/title: "title" is missing\./],
  [
    'a name that nothing defines',
    'a.json',
    { ...HOUSE_STYLE, request: { parameters: { vf: '{{heigth}}' } } },
    /\/a\.json, at \/request\/parameters\/vf: "heigth" is not an argument/,
  ],
  ['the name of a built-in recipe', 'gif.json', HOUSE_STYLE, /\/gif\.json: the service has a recipe "gif"/],
  ['a name that requests cannot send', 'House Style.json', HOUSE_STYLE, /the file name must be lower-case words/],
])('a file with %s stops the start, and the message names it', (_what, file, content, message) => {
  expect(() => read({ [file]: content })).toThrow(message);
});

test('all mistakes of all files are reported together', () => {
  expect(() => read({ 'a.json': '', 'b.json': '[]' })).toThrow(
    /a\.json: it is empty\.\nTELECINE_RECIPES_DIR: .*b\.json/,
  );
});

test('a folder that does not exist stops the start', () => {
  expect(() => readRecipeFiles('/nowhere/recipes', new Set())).toThrow(
    /^TELECINE_RECIPES_DIR: \/nowhere\/recipes cannot be read/,
  );
});
