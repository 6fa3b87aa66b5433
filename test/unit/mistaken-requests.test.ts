import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { FILTERS } from '../../packages/ffmpeg/src/allowlist/filters.ts';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/components.ts';
import { checkFilter } from '../../packages/ffmpeg/src/filtergraph/check-filter.ts';
import type { ValueError } from '../../packages/ffmpeg/src/values/value-error.ts';
import { corrected, film, mistakesIn, type Parameters } from '../support/mistakes.ts';
import { CATALOGUE, validPlan } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { ENCODER_MISTAKES } from './mistaken-requests/encoder-mistakes.ts';
import { FILTER_MISTAKES } from './mistaken-requests/filter-mistakes.ts';
import type { Mistake } from './mistaken-requests/mistake.ts';
import { VALUE_MISTAKES } from './mistaken-requests/value-mistakes.ts';

/** Requests with one mistake, as people write them, and what the fix makes of them. */

const MISTAKES = [...FILTER_MISTAKES, ...ENCODER_MISTAKES, ...VALUE_MISTAKES];

test.each<Mistake>(MISTAKES)('%j means %j', (mistake, meant, output) => {
  expect(corrected(film(mistake, output))).toEqual(film(meant, output));
});

test('a filter on a copied stream says that it needs an encoder', () => {
  const complex = film({ filter_complex: '[0:a]volume=2[a]', map: ['0:v', '[a]'], c: 'copy' });
  expect(mistakesIn(complex)).toMatchObject([
    {
      code: 'NEEDS_ENCODER',
      message: expect.stringMatching(/Only a re-encoded stream can be filtered: "c:a" needs an encoder\.$/),
    },
  ]);
});

test('a filter on a copied stream names the option that copies it', () => {
  const [mistake] = mistakesIn(film({ 'c:v': 'copy', 'c:a': 'copy', vf: 'scale=320:-2' }));
  expect(mistake?.message).toContain('copied by "c:v": "copy"');
});

test.each<Parameters>([
  { 'b:v': '0', crf: '30', 'c:v': 'libvpx-vp9', 'c:a': 'libopus' },
  { 'b:v': '800k' },
  { 'b:v': '1000000' },
  { 'b:a': '8k' },
  { fs: '10M' },
  { fs: '700Ki', metadata: 'title=1MB' },
  { vf: 'rotate=1.5' },
  { vf: 'crop=1600:900' },
  { vf: 'fade=in:0:30' },
  { vf: 'setpts=0.5 * PTS', an: '' },
  { vf: "drawtext=text=It\\\\\\'s me" },
  { af: 'afade=in:0:88200' },
  { vf: 'rotate=90*PI/180' },
  { vf: 'loop=3:25' },
  { vf: 'loop=loop=3:size=25:start=0' },
  { vf: 'loop=0' },
  { af: 'aloop=loop=3:size=44100' },
  { vf: "subtitles=a.mp4:force_style='PrimaryColour=&H0000FFFF,OutlineColour=&HFF&,BackColour=65535'" },
  { vf: "subtitles=a.mp4:force_style='PrimaryColour=0xFFFFFF,SecondaryColour=000000,Fontname=Red'" },
  { maxrate: '2M', bufsize: '4M' },
  { maxrate: '2M', 'c:v': 'libvpx-vp9' },
  { maxrate: '2M', 'x264-params': 'vbv-bufsize=4000' },
])('nothing is wrong with %j', (parameters) => {
  expect(mistakesIn(film(parameters, 'b.mkv'))).toEqual([]);
});

test.each<[string, Parameters, fix: string]>([])('%s has no effect alone: %j', (field, parameters, fix) => {
  expect(mistakesIn(film(parameters))).toMatchObject([{ field, code: 'NO_EFFECT', fix }]);
});

test.each<Parameters>([
  { vf: 'colorspace=all=bt709:iall=bt601-6-625' },
  { vf: 'scale=1280:720,fps=25' },
  { af: 'volume=2' },
  { vf: 'eq=brightness=-0.2:contrast=1.5' },
])('accepts %j', (parameters) => {
  expect(mistakesIn(film(parameters))).toEqual([]);
});

test('the words of every filter option are accepted as ffmpeg lists them', () => {
  const context = { catalogue: CATALOGUE, fileNamed: () => undefined, fontsIn: () => [], allFonts: () => undefined };
  const rejected: string[] = [];
  let count = 0;
  for (const name of FILTERS) {
    const component = componentOf(CATALOGUE, 'filter', name);
    for (const option of component?.options ?? [])
      for (const constant of option.readOnly || option.type === 'string' ? [] : option.constants) {
        const errors: unknown[] = [];
        const options = [{ key: option.name, value: constant.name }];
        checkFilter({ name, options, inputs: [], outputs: [], at: 0 }, context, errors as ValueError[]);
        count += 1;
        if (errors.length > 0) rejected.push(`${name}=${option.name}=${constant.name}`);
      }
  }
  expect(count).toBeGreaterThan(1000);
  expect(rejected).toEqual([]);
});

test.each<[title: string, parameters: Parameters, field: string, fix: string]>([])(
  'takes the %s from another input than the file that has them',
  (_title, parameters, field, fix) => {
    for (const name of ['chapters.ffmeta', 'chapters.txt']) {
      const request = { inputs: ['a.avi', name], output: 'b.mkv', parameters };
      expect(mistakesIn(request)).toMatchObject([{ code: 'UNUSED_INPUT', field, fix }]);
      const meant = { ...request, parameters: { ...parameters, [field.slice('/parameters/'.length)]: '1' } };
      expect(corrected(request)).toEqual(meant);
    }
  },
);

test.each<Parameters>([
  { map: '0' },
  { map: '0', map_chapters: '1' },
  { map: '0', map_metadata: '1' },
  { map_metadata: '1', map_chapters: '0' },
  { map_metadata: '0', map_chapters: '1' },
  {},
])('the file of tags and chapters may be in the output: %j', (parameters) => {
  expect(mistakesIn({ inputs: ['a.avi', 'chapters.ffmeta'], output: 'b.mkv', parameters })).toEqual([]);
});

test('films that nothing shows one after the other get the member that joins them', () => {
  const films = { inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4' };
  const fix = (parameters: Parameters) => mistakesIn({ ...films, parameters })[0]?.fix;
  expect(fix({})).toBe('To join them, send "join": "encode". To choose streams, send "map".');
  expect(fix({ c: 'copy' })).toMatch(/^To join them without encoding, send "join": "copy"\./);
  expect(fix({ vf: 'hflip' })).toMatch(/^To join them, send "join": "encode"\./);
  expect(fix({ shortest: '' })).toMatch(/^To join them, send "join": "encode", and leave "shortest" out\./);
  for (const [join, parameters] of [
    ['encode', { vf: 'hflip' }],
    ['copy', { c: 'copy' }],
  ] as const)
    expect(mistakesIn({ ...films, join, parameters })).toEqual([]);
});

test.each<ConversionRequest>([
  { input: 'a.mp4', output: 'b.mp4', parameters: { force_key_frames: '60' } },
  { input: 'a.mp4', output: 'b.mp4', parameters: { force_key_frames: '2,4' } },
  { input: 'a.mp4', output: 'b.mkv', parameters: { 'metadata:s:a:0': 'language=de' } },
  { input: 'p%02d.png', output: 'b.mp4', parameters: { framerate: '2', r: '30', 'c:v': 'libx264' } },
  {
    inputs: ['a.mp4', { input: 'a.mp4', parameters: { itsoffset: '0.5' } }],
    output: 'b.mp4',
    parameters: { map: ['0:v', '1:a'], c: 'copy' },
  },
])('%j has no warning', (request) => {
  expect(mistakesIn(request)).toEqual([]);
});

const UPRIGHT = { output: 'b.mp4', parameters: { c: 'copy' } };

test.each([{ display_rotation: '90' }, { 'display_rotation:v:0': '-90' }, { display_hflip: '' }])(
  'an option of a newer ffmpeg names its release: %j',
  (parameters) => {
    const [mistake, ...others] = mistakesIn({ ...UPRIGHT, inputs: [{ input: 'a.mp4', parameters }] });
    expect(others).toEqual([]);
    expect(mistake?.code).toBe('UNKNOWN_OPTION');
    expect(mistake?.message).toMatch(/: it exists from ffmpeg 6\.0 on\.$/);
  },
);

test.each<[what: string, Parameters, message: string]>([
  ['a list for one value', { vf: ['scale=640:-2', 'hue=s=0'] }, '"vf" takes one string, not a list.'],
  ['an option twice', { vf: 'scale=640:-2', 'filter:v': 'hflip' }, 'are two names of the same option'],
  ['options in a value', { 'c:v': 'libx264 -crf 28' }, '"c:v" must be the name of a codec, not "libx264 -crf 28".'],
  ['a tag in a name', { c: 'copy', 'metadata:title': 'My Film' }, 'A tag is in the value: "title=My video".'],
  ['a unit', { 'b:v': '2 Mbps' }, '"b:v" must be a number, not "2 Mbps". Units are k, M and G.'],
  ['a size in bytes', { fs: '10MB' }, '"fs" must be a whole number, not "10MB". Units are k, M and G.'],
  ['a time in words', { ss: '1.5 minutes' }, '"ss" must be a time, not "1.5 minutes".'],
  ['a value of a flag', { shortest: 'yes' }, '"shortest" is a flag and takes no value.'],
  ['a label without brackets', { map: 'out' }, 'or a label of "filter_complex" in brackets, not "out".'],
])('says what is wrong with %s', (_what, parameters, message) => {
  const [mistake, ...others] = mistakesIn(film(parameters));
  expect(others).toEqual([]);
  expect(mistake?.message).toContain(message);
});

test('the tag "rotate" turns a picture only before ffmpeg 7; its fix turns it there', () => {
  const NEWER = recordedCatalogue('7.1');
  const request = { ...UPRIGHT, input: 'a.mp4', parameters: { c: 'copy', 'metadata:s:v:0': 'rotate=90' } };
  expect(validPlan(request).warnings).toEqual([]);
  expect(validPlan(request, { catalogue: NEWER }).warnings).toMatchObject([
    {
      code: 'NO_EFFECT',
      field: '/parameters/metadata:s:v:0',
      fix: 'Leave it out, and send "display_rotation": "90" in the "parameters" of the input.',
    },
  ]);
  const meant = { ...UPRIGHT, inputs: [{ input: 'a.mp4', parameters: { display_rotation: '90' } }] };
  expect(validPlan(meant, { catalogue: NEWER }).warnings).toEqual([]);
});
