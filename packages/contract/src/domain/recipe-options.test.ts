import { expect, test } from 'vitest';
import { fixPatch } from '../wire/fix-patch.ts';
import type { ConversionRequest } from './conversion.ts';
import { definedMembers } from './defined.ts';
import { addOption, type Edits, editsText, leaveOut, sendOption, sendValue } from './edit.ts';
import type { AbsentStream, Failure } from './failure.ts';
import { fixText } from './hint.ts';
import type { Warning } from './plan.ts';
import { failureForClient, inWordsOfClient, warningsForClient } from './recipe-options.ts';

const request = { output: 'b.mp4', preset: { name: 'film', options: ['vf', 'c:v'] } } as unknown as ConversionRequest;
const IDLE: Warning = { field: '/parameters/map', code: 'NO_EFFECT', message: 'They have no effect.' };
const withOptions = (...names: readonly string[]): Warning => ({
  ...IDLE,
  options: names.map((name) => `/parameters/${name}`),
});

test('drops a warning about options without effect if the recipe set all of them', () => {
  expect(warningsForClient(request, [withOptions('vf', 'c:v'), { ...IDLE, field: '/parameters/vf' }])).toEqual([]);
});

test('keeps a warning about an option of the client, whatever its message names', () => {
  const own = { ...IDLE, message: '"vf" has no effect: "c:v" is "copy".' };
  expect(warningsForClient(request, [withOptions('vf', 'b:v'), own])).toEqual([IDLE, own]);
});

test('a client gets nothing that only the service uses', () => {
  const internal = { ...withOptions('b:v'), causes: ['/parameters/c:v'], failsWith: 'video' } as const;
  const [warning] = warningsForClient({ output: 'b.mp4' } as ConversionRequest, [internal]);
  expect(warning).toEqual(IDLE);
  expect(warning).not.toHaveProperty('options');
});

test('a number that an argument of the recipe set is about that argument, once', () => {
  const preset = { name: 'fade', arguments: { seconds: 30, height: 720 }, argumentsOf: { vf: ['seconds', 'height'] } };
  const cutOff: Warning = {
    field: '/parameters/vf',
    code: 'CUT_OFF',
    message: 'The filter fade lasts 30 s. "d" is in seconds, not in frames.',
    fix: 'Send "vf": "fade=d=2".',
    numbers: [{ sent: 30, meant: 2 }],
  };
  const own: Warning = { ...cutOff, field: '/parameters/af' };
  const { numbers: _, ...shown } = own;
  const found = warningsForClient({ output: 'b.mp4', preset } as unknown as ConversionRequest, [cutOff, own, cutOff]);
  expect(found).toEqual([
    {
      field: '/preset/arguments/seconds',
      code: 'CUT_OFF',
      message: 'The filter fade lasts 30 s. "d" is in seconds, not in frames. The recipe "fade" sets "vf".',
      fix: 'Send "seconds": 2.',
    },
    shown,
  ]);
});

test('numbers that several arguments have are those of the arguments that are named so', () => {
  const preset = {
    name: 'crop',
    arguments: { width: 100, height: 100 },
    argumentsOf: { vf: ['width', 'height'] },
  };
  const outside: Warning = {
    field: '/parameters/vf',
    code: 'OTHER_VALUE',
    message: 'The filter crop is outside.',
    fix: 'Send "vf": "crop=20:100".',
    numbers: [{ sent: 100, meant: 20, names: ['w', 'width'] }],
  };
  const [warning] = warningsForClient({ output: 'b.mp4', preset } as unknown as ConversionRequest, [outside]);
  expect(warning).toMatchObject({ field: '/preset/arguments/width', fix: 'Send "width": 20.' });
});

test.each<[fix: Edits, field: string, patch: readonly object[] | undefined]>([
  [sendValue('23'), '/preset', undefined],
  [sendOption('vf', 'scale=2:2'), '/preset', undefined],
  [leaveOut(), '/preset', undefined],
  [addOption('pix_fmt', 'yuv420p'), '/preset', [{ op: 'add', path: '/parameters', value: { pix_fmt: 'yuv420p' } }]],
  [sendValue('slow'), '/preset/arguments/speed', [{ op: 'replace', path: '/preset/arguments/speed', value: 'slow' }]],
  [sendOption('t', '5'), '/preset/arguments/speed', undefined],
])('a patch for an option that a recipe sets keeps the recipe: %j at %s', (fix, field, patch) => {
  const body = { input: 'a.mov', output: 'b.mp4', preset: { name: 'own', arguments: { speed: 'slwo' } } };
  const found = { field: '/parameters/preset', code: 'BAD_VALUE', message: 'It is wrong.', fix };
  const shown = inWordsOfClient(found, field, 'own');
  expect(fixText(shown.fix)?.slice(0, -1)).toContain(editsText(fix).replace(/( as well)?\.$/, ''));
  expect(fixPatch(body, { ...shown, field })).toEqual(patch);
});

const ABSENT: AbsentStream = {
  ...{ option: '/parameters/map', map: '0:s:0', kind: 'subtitle', input: 0 },
  ...{ file: '"film.mp4"', count: 0, content: 'video and audio' },
};
const withRecipe = (name: string) =>
  ({ output: 'b.srt', preset: { name, options: ['map'] } }) as unknown as ConversionRequest;
const RAW = 'The map "0:s:0" selects nothing.';

test('a stream that a recipe needs and the source lacks is said in the words of people, before and after the run', () => {
  const message =
    '"film.mp4" has no subtitle stream, only video and audio, and the recipe "extract-subtitles" needs one.';
  const fix = expect.stringMatching(/^Send a file with subtitles\. .*"burn-subtitles".*"soft-subtitles"/);
  const request = withRecipe('extract-subtitles');
  const warning = { code: 'INPUT_INVALID', message: `${RAW} The job would fail.`, fix: 'Send "map".', absent: ABSENT };
  expect(warningsForClient(request, [warning])).toEqual([
    { field: '/preset', code: 'INPUT_INVALID', message: `${message} The job would fail.`, fix },
  ]);
  const failure: Failure = { code: 'INPUT_INVALID', message: RAW, fix: 'Send "map".', about: { absent: ABSENT } };
  expect(failureForClient(request, failure)).toEqual({ code: 'INPUT_INVALID', message, fix });
});

/** A request whose argument has chosen the third stream. `first`: the value of the argument for the first one; `least`: its lowest value. */
const choosing = (sent: number | string, first?: number, least?: number) =>
  ({
    output: 'b.srt',
    preset: {
      ...{ name: 'extract-subtitles', arguments: { track: sent }, options: ['map'] },
      streams: [{ option: '/parameters/map', map: '0:s:2', argument: 'track', ...definedMembers({ first, least }) }],
    },
  }) as unknown as ConversionRequest;
const LACKING: AbsentStream = { ...ABSENT, map: '0:s:2', count: 1 };

test.each([
  [choosing(3, 1), 1, '"track" must be from 1 to 1, not 3: "film.mp4" has only 1 subtitle stream.', '"track": 1'],
  [choosing(2, 0, 1), 2, '"track" must be from 1 to 1, not 2: "film.mp4" has only 2 subtitle streams.', '"track": 1'],
  [choosing(2, 0), 2, '"track" must be from 0 to 1, not 2: "film.mp4" has only 2 subtitle streams.', '"track": 1'],
] as const)(
  'a missing stream is reported at the argument that chooses it, with its range: %#',
  (request, count, message, sent) => {
    const absent = { ...LACKING, count };
    const fix = `Send ${sent}, or another file.`;
    const warning = { code: 'INPUT_INVALID', message: RAW, fix: 'Send "map".', absent };
    const [shown, ...others] = warningsForClient(request, [warning]);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ field: '/preset/arguments/track', message: `${message} The job would fail.` });
    expect(fixText(shown?.fix)).toBe(fix);
    // Which stream is meant, only the client knows.
    expect(fixPatch(request, { message: '', ...shown, code: 'INPUT_INVALID' })).toBeUndefined();
    const failure = failureForClient(request, { code: 'INPUT_INVALID', message: RAW, about: { absent } });
    expect(failure.message).toBe(message);
    expect(fixText(failure.fix)).toBe(fix);
  },
);

test('a missing stream that a choice of the recipe names is said at this argument', () => {
  const warning = { code: 'INPUT_INVALID', message: RAW, absent: LACKING };
  expect(warningsForClient(choosing('commentary'), [warning])).toEqual([
    {
      field: '/preset/arguments/track',
      code: 'INPUT_INVALID',
      message:
        '"track" chooses a stream that does not exist: "film.mp4" has only 1 subtitle stream. The job would fail.',
      fix: 'Send another "track", or another file.',
    },
  ]);
});

test('without any stream of the kind, and for another map, no argument is to blame', () => {
  for (const absent of [
    { ...LACKING, count: 0 },
    { ...LACKING, map: '0:s:7' },
  ])
    expect(warningsForClient(choosing(3, 1), [{ code: 'INPUT_INVALID', message: RAW, absent }])).toMatchObject([
      { field: '/preset', message: expect.stringContaining('the recipe "extract-subtitles"') },
    ]);
});

test('an absent stream that the client itself selects keeps its message', () => {
  const own = { output: 'b.srt' } as ConversionRequest;
  const warning = { code: 'INPUT_INVALID', message: RAW, fix: 'Send "map".' };
  expect(warningsForClient(own, [{ ...warning, absent: ABSENT }])).toEqual([warning]);
  const failure: Failure = { code: 'INPUT_INVALID', message: RAW };
  expect(failureForClient(own, { ...failure, about: { output: 1, absent: ABSENT } })).toEqual({
    ...failure,
    about: { output: 1 },
  });
});
