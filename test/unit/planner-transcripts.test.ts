import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { MediaStream } from '../../packages/contract/src/domain/media-info.ts';
import type { ProbedInput } from '../../packages/contract/src/domain/plan.ts';
import type { Transcription } from '../../packages/contract/src/domain/transcription.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { offerOf, withSpeech } from '../../packages/ffmpeg/src/catalogue/changed-catalogue.ts';
import { decodeCatalogue, encodeCatalogue } from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { meetsNeed } from '../../packages/ffmpeg/src/plan/plan-step.ts';
import { workloadOf } from '../../packages/ffmpeg/src/plan/workload.ts';
import { CATALOGUE, draftRequest, errorCodesOf, errorsOf, planForAll, wholePlan } from '../support/planning.ts';
import { recording } from '../support/recorded-catalogue.ts';

/** The recorded build as if it had the filter, without and with a model. */
const WHISPER: Catalogue = {
  ...CATALOGUE,
  lists: {
    ...CATALOGUE.lists,
    filters: new Map([
      ...CATALOGUE.lists.filters,
      ['whisper', { description: 'Transcribe audio using whisper.cpp.', inputs: 'A', outputs: 'A', timeline: false }],
    ]),
  },
};
const WITH_MODEL = withSpeech(WHISPER);

const common = { disposition: [], tags: {} } as const;
const AUDIO: MediaStream = { ...common, index: 0, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 2 };
const VIDEO: MediaStream = { ...common, index: 0, type: 'video', codec: 'h264', width: 320, height: 180 };
const filmOf = (...streams: readonly MediaStream[]): ProbedInput => ({
  format: { names: ['mov'], durationSeconds: 60, startSeconds: 0, tags: {} },
  streams,
});

const request = (
  transcribe: Transcription,
  output = 'b.srt',
  more: Partial<ConversionRequest> = {},
): ConversionRequest => ({ input: 'a.mp4', output, transcribe, ...more });
const planOf = (...args: Parameters<typeof request>) =>
  wholePlan(request(...args), { catalogue: WITH_MODEL, media: [filmOf(AUDIO)] });

test('a run before the pass writes the captions, and the pass reads them', () => {
  const plan = planOf({ language: 'de' }, 'b.vtt', { parameters: { y: '' } });
  expect(plan.transcript).toEqual({
    argv: [
      ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'level+info', '-progress', 'pipe:1'],
      ...['-stats_period', '0.5', '-protocol_whitelist', 'file', '-format_whitelist', expect.any(String)],
      ...['-i', 'file:in/0.mp4', '-map', '0:a:0', '-filter:a'],
      'whisper=model=in/speech-model.bin:language=de:queue=30:use_gpu=0:destination=pass/speech.srt:format=srt',
      ...['-f', 'null', '-'],
    ],
  });
  const read = ['-protocol_whitelist', 'file', '-format_whitelist', expect.any(String), '-i'];
  expect(plan.passes).toEqual([
    [
      ...['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'level+verbose', '-progress', 'pipe:1'],
      ...['-stats_period', '0.5', ...read, 'file:in/0.mp4', '-f', 'srt', ...read, 'file:pass/speech.srt'],
      ...['-map', '1:s:0', '-f', 'webvtt', 'file:out/b.vtt'],
    ],
  ]);
  expect(plan.inputs.map(({ logical }) => logical)).toEqual(['in/0.mp4']);
  expect(plan.warnings).toEqual([]);
});

test.each([
  ['b.vtt', 'webvtt'],
  ['b.m3u8', 'webvtt'],
  ['b.srt', 'srt'],
])('captions in %s beside copies of all streams are %s', (output, encoder) => {
  const [pass = []] = planOf({}, output, { parameters: { c: 'copy' } }).passes;
  expect(pass[pass.indexOf('-c:s') + 1]).toBe(encoder);
});

test('without a language, the model finds it out', () => {
  expect(planOf({}).transcript?.argv.join(' ')).toContain(':language=auto:');
});

test('the run before transcribes what the options of the input leave', () => {
  const { transcript } = planOf({}, 'b.srt', {
    input: undefined,
    inputs: [{ input: 'a.mp4', parameters: { ss: '60', t: '30' } }],
  } as never);
  expect(transcript?.argv.join(' ')).toMatch(/-ss 60 -t 30 .*-i file:in\/0\.mp4 -map 0:a:0/);
});

test.each([
  ['b.mkv', { c: 'copy' }, '-map 0:v? -map 0:a? -map 1:s:0', ['-c copy']],
  ['b.mp4', { c: 'copy' }, '-map 0:v? -map 0:a? -map 1:s:0', ['-c copy', '-c:s mov_text']],
  [
    'b.mp4',
    { 'c:v': 'copy', 'c:a': 'copy', 'c:s': 'mov_text', map: ['0:v', '0:a', '1'] },
    '-map 0:v -map 0:a -map 1',
    [],
  ],
] as const)('%s with %j has the captions beside the film', (output, parameters, maps, more) => {
  const [argv = []] = planOf({}, output, { parameters: parameters as never }).passes;
  for (const part of [maps, ...more]) expect(` ${argv.join(' ')} `).toContain(` ${part} `);
});

test('several outputs are transcribed once', () => {
  const plan = wholePlan(
    { input: 'a.mp4', transcribe: {}, outputs: [{ output: 'b.srt' }, { output: 'b.vtt' }] },
    { catalogue: WITH_MODEL, media: [filmOf(AUDIO)] },
  );
  expect(plan.transcript?.argv).toContain('0:a:0');
  expect(plan.passes).toHaveLength(1);
  expect(plan.passes[0]?.join(' ')).toMatch(
    /-map 1:s:0 -f srt file:out\/0\/b\.srt -map 1:s:0 -f webvtt file:out\/1\/b\.vtt$/,
  );
});

test('what nobody has looked into is assumed to have sound', () => {
  expect(wholePlan(request({}), { catalogue: WITH_MODEL }).transcript).toBeDefined();
  expect(draftRequest(request({}), { catalogue: WITH_MODEL }).probes).toEqual([
    { input: 0, start: 0, needsLength: false, needsHeaders: true },
  ]);
});

test.each([
  ['a file without sound', request({}), [filmOf(VIDEO)], ['/input NO_SOUND']],
  ['several inputs', { inputs: ['a.mp4', 'c.mp4'], output: 'b.srt', transcribe: {} }, [], ['/transcribe EXCLUSIVE']],
  [
    'a joined film',
    { inputs: ['a.mp4', 'c.mp4'], output: 'b.mkv', transcribe: {}, join: 'encode' },
    [],
    ['/transcribe EXCLUSIVE'],
  ],
  ['parts of a film', request({}, 'b.mkv', { cut: { keep: [{ start: 1 }] } }), [], ['/transcribe EXCLUSIVE']],
  ['an output of sound', request({}, 'b.mp3'), [], ['/output CODEC_NOT_HELD']],
  ...['avi', 'flv', 'ogv', 'ts', 'vob', 'scc', 'sub', 'sup'].map(
    (ext) =>
      [
        `an output of type .${ext}, which takes no captions`,
        request({}, `b.${ext}`),
        [],
        ['/output CODEC_NOT_HELD'],
      ] as const,
  ),
  [
    'an input that is repeated without end, also in an output with an end',
    {
      inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1' } }],
      output: 'b.srt',
      parameters: { t: '60' },
      transcribe: {},
    },
    [filmOf(AUDIO)],
    ['/inputs/0/input NEEDS_DURATION'],
  ],
] as const)('%s is rejected', (_what, wrong, media, codes) => {
  expect(errorCodesOf(wrong as ConversionRequest, { catalogue: WITH_MODEL, media })).toEqual(codes);
});

test('the errors of formats and of endless inputs say what is possible', () => {
  const facts = { catalogue: WITH_MODEL, media: [filmOf(AUDIO)] };
  expect(errorsOf(request({}, 'b.avi'), facts)).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('srt, webvtt, ass, lrc, ttml, mp4, mov, ipod, matroska'),
    }),
  ]);
  const endless = (t?: string): ConversionRequest => ({
    inputs: [{ input: 'a.mp4', parameters: { stream_loop: '-1', ...(t !== undefined && { t }) } }],
    output: 'b.srt',
    transcribe: {},
  });
  expect(errorsOf(endless(), facts)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('"t" in the parameters of the input ends it') }),
  ]);
  expect(errorsOf(endless('60'), facts)).toEqual([]);
});

test.each(['ass', 'lrc', 'ttml'])('a file of type .%s has the captions alone', (ext) => {
  expect(planOf({}, `b.${ext}`).passes[0]?.join(' ')).toMatch(/pass\/speech\.srt -map 1:s:0 -f /);
});

test.each(['mov', 'm4v', 'mkv', 'webm', 'm3u8'])('a film of type .%s takes captions', (ext) => {
  expect(planOf({}, `b.${ext}`).passes[0]?.join(' ')).toContain('-map 0:v? -map 0:a? -map 1:s:0');
});

test('an error says whether the filter or the model is missing, and what the operator does', () => {
  expect(errorsOf(request({}))).toEqual([
    {
      field: '/transcribe',
      code: 'NEEDS_SPEECH',
      message: expect.stringMatching(
        /filter "whisper" of ffmpeg 8, and ffmpeg 5\.1\S* of this service was built without/,
      ),
      fix: expect.stringContaining('--enable-whisper'),
    },
  ]);
  expect(errorsOf(request({}), { catalogue: WHISPER })).toEqual([
    {
      field: '/transcribe',
      code: 'NEEDS_SPEECH',
      message: 'Captions of speech need a model, and this service has none.',
      fix: expect.stringContaining('TELECINE_WHISPER_MODEL'),
    },
  ]);
});

test('clients cannot name the filter, and are told what to send', () => {
  const af = 'whisper=model=/etc/passwd:destination=/tmp/x';
  const [error] = errorsOf({ input: 'a.mp4', output: 'b.wav', parameters: { af } }, { catalogue: WITH_MODEL });
  expect(error).toMatchObject({
    code: 'FILTER_NOT_ALLOWED',
    message: expect.stringContaining('"captions-from-speech"'),
  });
});

test('a job goes to a worker with a model, also if another has the same ffmpeg', () => {
  const { result, needs } = planForAll(request({}), [WHISPER, WITH_MODEL]);
  expect(result.ok).toBe(true);
  expect(needs).toEqual(['speech:model']);
  expect([WITH_MODEL, WHISPER].map((one) => meetsNeed(one, 'speech:model'))).toEqual([true, false]);
  expect(offerOf(WITH_MODEL)).not.toBe(offerOf(WHISPER));
});

test('a build without the filter stays as it is, with a model too', () => {
  expect(withSpeech(CATALOGUE)).toBe(CATALOGUE);
  expect(withSpeech(WITH_MODEL)).toBe(WITH_MODEL);
});

test('other machines learn that a worker has a model', async () => {
  const decoded = await decodeCatalogue(await encodeCatalogue(WITH_MODEL, recording('5.1').answers));
  expect(decoded?.speech).toBe(true);
  expect(decoded && offerOf(decoded)).toBe(offerOf(WITH_MODEL));
});

test('speech counts as much as a slow encoder', () => {
  expect(workloadOf(planOf({}))).toEqual({ lane: 'full', weight: 200 });
});

test('speech is recognised before samples in several frame sizes, which do not read its captions', () => {
  const parameters = { 'c:v': 'libx264', 'b:v': '500k', pass: '2', 'c:a': 'aac' };
  const sent = request({ language: 'de' }, 'b.mp4', { parameters, frameSize: 'auto' });
  const { transcript, search } = wholePlan(sent, { catalogue: WITH_MODEL, media: [filmOf(VIDEO, AUDIO)] });
  expect(transcript).toBeDefined();
  expect(search?.samples).not.toHaveProperty('none');
  expect(JSON.stringify(search)).not.toContain('speech.srt');
});
