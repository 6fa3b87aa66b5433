import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { FieldError } from '../../src/domain/problem.ts';
import { applyFix } from '../support/apply-fix.ts';
import { factsFor, planRequest } from '../support/planning.ts';
import { ensureRecorded, freshCatalogue } from '../support/recorded-catalogue.ts';

/** Requests with one mistake, as people write them, and what the fix makes of them. */

const FRESH = freshCatalogue();

/** The errors of a request, or its warnings if it is accepted. */
function mistakesIn(request: ConversionRequest): readonly FieldError[] {
  const catalogue = ensureRecorded('5.1', FRESH, factsFor(request));
  if (catalogue === undefined) throw new Error(`The recording lacks a fact for ${JSON.stringify(request)}`);
  const result = planRequest(request, { catalogue });
  return result.ok ? result.plan.warnings.map((one) => ({ field: '', ...one })) : result.errors;
}

type Parameters = Record<string, string | string[]>;

const film = (parameters: Parameters, output = 'b.mp4'): ConversionRequest => ({ input: 'a.mp4', output, parameters });

/** Corrects a request by the fixes of its mistakes, one after the other. Fails if it is still mistaken after five. */
function corrected(request: ConversionRequest): ConversionRequest {
  let current = request;
  for (let fixes = 0; fixes < 5; fixes += 1) {
    const [mistake] = mistakesIn(current);
    if (mistake === undefined) return current;
    const { message, field, fix } = mistake;
    if (typeof fix !== 'string') throw new Error(`No fix: ${message}`);
    current = applyFix(current as never, { code: '', message, field, fix }) as never;
  }
  throw new Error(`Still mistaken: ${JSON.stringify(current)} ${JSON.stringify(mistakesIn(current))}`);
}

test.each<[mistake: Parameters, meant: Parameters, output?: string]>([
  [{ 'b:v': '2500' }, { 'b:v': '2500k' }],
  [{ 'b:a': '128' }, { 'b:a': '128k' }],
  [{ 'b:v': '4' }, { 'b:v': '4M' }],
  [{ 'b:v': '2m' }, { 'b:v': '2M' }],
  [
    { maxrate: '2500', bufsize: '5000' },
    { maxrate: '2500k', bufsize: '5000k' },
  ],
  [{ vf: 'rotate=90' }, { vf: 'transpose=1' }],
  [{ vf: 'rotate=-90' }, { vf: 'transpose=2' }],
  [{ vf: 'scale=320:-2,rotate=180' }, { vf: 'scale=320:-2,hflip,vflip' }],
  [{ vf: 'rotate=45:c=black' }, { vf: 'rotate=45*PI/180:c=black' }],
  [{ vf: 'vignette=angle=45' }, { vf: 'vignette=angle=45*PI/180' }],
  [
    { vf: 'fps=10,scale=320:-1:flags=lanczos,palettegen' },
    {
      vf: 'fps=10,scale=320:-1:flags=lanczos,split[film][copy];[copy]palettegen[colors];[film][colors]paletteuse',
    },
    'b.gif',
  ],
  [{ 'c:v': 'libx264', 'c:a': 'aac' }, { 'c:v': 'libvpx-vp9', 'c:a': 'libopus' }, 'b.webm'],
  [{ 'c:s': 'srt' }, { 'c:s': 'mov_text' }],
  [{ 'c:a': 'aac' }, { 'c:a': 'libmp3lame' }, 'b.mp3'],
  [{ 'c:a': 'opus' }, { 'c:a': 'libopus' }, 'b.ogg'],
  [{ 'c:a': 'vorbis' }, { 'c:a': 'libvorbis' }, 'b.webm'],
])('%j means %j', (mistake, meant, output) => {
  expect(corrected(film(mistake, output))).toEqual(film(meant, output));
});

test.each<Parameters>([
  { 'b:v': '0', crf: '30', 'c:v': 'libvpx-vp9', 'c:a': 'libopus' },
  { 'b:v': '800k' },
  { 'b:v': '1000000' },
  { 'b:a': '8k' },
  { vf: 'rotate=1.5' },
  { vf: 'rotate=90*PI/180' },
  { maxrate: '2M', bufsize: '4M' },
  { maxrate: '2M', 'c:v': 'libvpx-vp9' },
  { maxrate: '2M', 'x264-params': 'vbv-bufsize=4000' },
])('nothing is wrong with %j', (parameters) => {
  expect(mistakesIn(film(parameters, 'b.mkv'))).toEqual([]);
});

test.each<[string, Parameters, fix: string]>([
  ['/parameters/maxrate', { maxrate: '2M', crf: '18' }, 'Send "bufsize": "4M" as well.'],
  ['/parameters/maxrate', { 'c:v': 'libx265', maxrate: '1500k' }, 'Send "bufsize": "3000k" as well.'],
  ['/parameters/bufsize', { bufsize: '2M' }, 'Send "maxrate": "1M" as well, or leave "bufsize" out.'],
])('%s has no effect alone: %j', (field, parameters, fix) => {
  expect(mistakesIn(film(parameters))).toMatchObject([{ field, code: 'NO_EFFECT', fix }]);
});

const LOOPED = { input: 'title.png', parameters: { loop: '1' } };

test.each<[title: string, ConversionRequest, field: string, fix: string]>([
  ['a looped picture with sound', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4' }, '/inputs/0/input', '"shortest": ""'],
  ['a looped picture', { inputs: [LOOPED], output: 'b.mp4' }, '/inputs/0/input', '"t": "10"'],
  [
    'a looped film with sound',
    {
      inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1' } }, 'a.mp3'],
      output: 'b.mp4',
      parameters: { map: ['0:v', '1:a'] },
    },
    '/inputs/0/input',
    '"shortest": ""',
  ],
  [
    'silence beside a film',
    film({ filter_complex: 'anullsrc[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    '"shortest": ""',
  ],
  [
    'a film over a generated picture',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay[v]', map: '[v]' }),
    '/parameters/filter_complex',
    'Send "filter_complex": "color=black:s=640x360[b];[b][0:v]overlay=shortest=1[v]".',
  ],
  [
    'a sound mixed with a tone',
    film({ filter_complex: 'sine=440[s];[0:a][s]amix[a]', map: ['0:v', '[a]'] }),
    '/parameters/filter_complex',
    'Send "filter_complex": "sine=440[s];[0:a][s]amix=duration=shortest[a]".',
  ],
  ['sound that is padded', film({ af: 'apad' }), '/parameters/af', '"shortest": ""'],
  ['a filter that repeats for ever', film({ vf: 'loop=-1:250' }), '/parameters/vf', '"shortest": ""'],
])('warns that an output never ends: %s', (_title, request, field, fix) => {
  const [mistake, ...others] = mistakesIn(request);
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ field, code: 'ENDLESS' });
  expect(mistake?.fix).toContain(fix);
});

test.each<[title: string, ConversionRequest]>([
  ['its duration', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { t: '5' } }],
  ['its shortest stream', { inputs: [LOOPED, 'a.mp3'], output: 'b.mp4', parameters: { shortest: '' } }],
  ['the duration of its input', { inputs: [{ ...LOOPED, parameters: { loop: '1', t: '3' } }], output: 'b.mp4' }],
  ['its number of frames', { inputs: [LOOPED], output: 'b.mp4', parameters: { 'frames:v': '50' } }],
  [
    'its filter',
    film({ filter_complex: 'color=black:s=640x360[b];[b][0:v]overlay=shortest=1[v]', map: ['[v]', '0:a'] }),
  ],
  ['the duration of its source', film({ filter_complex: 'anullsrc=d=5[a]', map: ['0:v', '[a]'] })],
  ['a film that is looped twice', { input: 'a.mp4', output: 'b.mp4', parameters: { stream_loop: '2' } }],
])('an output ends with %s', (_title, request) => {
  expect(mistakesIn(request).filter(({ code }) => code === 'ENDLESS')).toEqual([]);
});
