import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { expect, test } from 'vitest';
import { checkRecipe } from './check-recipe.ts';

const OWN: Recipe = {
  name: 'mine',
  version: 1,
  title: 'Mine',
  description: 'A recipe of a test.',
  words: [],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {
    height: { type: 'number', min: 2, max: 100, description: 'The height.' },
    name: { type: 'text', maxLength: 100, description: 'A name.' },
    place: { type: 'choice', choices: { here: '{{name}}', there: 'x' }, description: 'A place.' },
  },
  request: { parameters: { vf: "scale='min({{height}},ih)':-2,drawtext=text={{name}}:x={{place}}" } },
};

const filter = (vf: string): Partial<Recipe> => ({ request: { parameters: { vf } } });

test.each<[what: string, change: Partial<Recipe>, error: string]>([
  ['a text in quotes', filter("drawtext=text='{{name}}'"), '/request/parameters/vf QUOTED_REFERENCE'],
  [
    'a text behind quotes',
    filter(String.raw`drawtext=text='a\'b'{{name}}'`),
    '/request/parameters/vf QUOTED_REFERENCE',
  ],
  ['a choice with a text in quotes', filter("drawtext=text='{{place}}'"), '/request/parameters/vf QUOTED_REFERENCE'],
  ['an input in quotes', filter("subtitles='{{film}}'"), '/request/parameters/vf QUOTED_REFERENCE'],
  ['braces around no name', filter('scale={{the height}}'), '/request/parameters/vf BAD_REFERENCE'],
  ['other letters in braces', filter('scale={{Größe}}'), '/request/parameters/vf BAD_REFERENCE'],
  ['a section without an end', filter('null{{#height}},hflip'), '/request/parameters/vf BAD_SECTION'],
  [
    'sections that overlap',
    filter('null{{#height}}{{#name}},hflip{{/height}}{{/name}}'),
    '/request/parameters/vf BAD_SECTION',
  ],
  ['a quote in a section', filter("scale='{{#height}}'{{/height}}1"), '/request/parameters/vf BAD_SECTION'],
  [
    'a backslash before a section',
    filter(String.raw`drawtext=text=\{{#height}}x{{/height}}''{{name}}`),
    '/request/parameters/vf BAD_SECTION',
  ],
  [
    'braces that meet without a section',
    filter('drawtext=text={{{#height}}x{{/height}}{name}}'),
    '/request/parameters/vf BAD_SECTION',
  ],
  ['a section of an unknown name', filter('null{{#size}},hflip{{/size}}'), '/request/parameters/vf UNKNOWN_NAME'],
  [
    'a secret in a list of options',
    { request: { parameters: { segment_format_options: 'encryption_key=00' } } },
    '/request/parameters/segment_format_options SECRET',
  ],
  [
    'a key as a view shows it',
    { request: { parameters: { encryption_key: '(hidden)' } } },
    '/request/parameters/encryption_key SECRET',
  ],
  [
    'a cut by an unknown name',
    {
      request: {
        cut: { remove: { silence: { noiseDb: '-40', minSeconds: '{{pause}}' }, marginSeconds: '0' } },
        parameters: {},
      },
    },
    '/request/cut/remove/silence/minSeconds UNKNOWN_NAME',
  ],
  [
    'a start that depends on itself',
    { inputs: [{ role: 'film', description: 'A film.', parameters: { ss: '{{input.start}}' } }] },
    '/inputs/0/parameters/ss CIRCLE',
  ],
  [
    'a start before the end that depends on itself by a value',
    {
      values: { late: 'input.start + 5', later: 'late * 2' },
      inputs: [{ role: 'film', description: 'A film.', parameters: { sseof: '-{{later}}' } }],
    },
    '/inputs/0/parameters/sseof CIRCLE',
  ],
  [
    'times of the file that depend on the start by a choice',
    {
      arguments: {
        ...OWN.arguments,
        clock: { type: 'choice', choices: { file: '{{#input.start}}1{{/input.start}}' }, description: 'The clock.' },
      },
      request: { parameters: { ...OWN.request.parameters, copyts: '{{clock}}' } },
    },
    '/request/parameters/copyts CIRCLE',
  ],
  [
    'times of the file if there is a start',
    { request: { parameters: { ...OWN.request.parameters, copyts: { when: 'input.start', value: '' } } } },
    '/request/parameters/copyts CIRCLE',
  ],
  ['a limit of nothing', { limits: { size: { min: '1', reason: 'x' } } }, '/limits/size UNKNOWN_NAME'],
  ['a limit of a text', { limits: { name: { min: '1', reason: 'x' } } }, '/limits/name UNKNOWN_NAME'],
  ['a limit by an unknown name', { limits: { height: { max: 'y', reason: 'x' } } }, '/limits/height/max UNKNOWN_NAME'],
])('a recipe with %s is not valid', (_what, change, error) => {
  expect(checkRecipe(OWN)).toEqual([]);
  expect(checkRecipe({ ...OWN, ...change }).map(({ field, code }) => `${field} ${code}`)).toEqual([error]);
});

test('other options and inputs may use the start of the part, and the message of a circle names its way', () => {
  const second = { role: 'words', description: 'Subtitles.', parameters: { ss: '{{input.start}}' } };
  expect(
    checkRecipe({ ...OWN, inputs: [...OWN.inputs, second], request: { parameters: { t: '{{input.start}}' } } }),
  ).toEqual([]);
  const values = { late: 'input.start + 5' };
  const inputs = [{ role: 'film', description: 'A film.', parameters: { ss: '{{late}}' } }];
  expect(checkRecipe({ ...OWN, values, inputs })).toEqual([
    {
      field: '/inputs/0/parameters/ss',
      code: 'CIRCLE',
      message: '"ss" uses "late", which depends on "input.start", and "ss" itself decides what that is.',
    },
  ]);
});
