import { expect, test } from 'vitest';
import { fixPatch } from '../wire/fix-patch.ts';
import { errorsForClient, failureForClient, warningsForClient } from './client-words.ts';
import type { ConversionRequest } from './conversion.ts';
import { definedMembers } from './defined.ts';
import { addOption, type Edits, leaveOut, sendOption, sendValue } from './edit.ts';
import type { AbsentStream, Failure } from './failure.ts';
import type { Warning } from './plan.ts';

/** A request whose recipe sets these options on purpose. */
const withOptionsOf = (name: string, ...options: readonly string[]): ConversionRequest =>
  ({
    output: 'b.mp4',
    preset: { name },
    origins: Object.fromEntries(
      options.map((option) => [`/parameters/${option}`, { field: '/preset', option, isOfRecipe: true }]),
    ),
  }) as unknown as ConversionRequest;

const request = withOptionsOf('film', 'vf', 'c:v');
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
  const internal = { ...withOptions('b:v'), failsWith: 'video' } as const;
  const [warning] = warningsForClient({ output: 'b.mp4' } as ConversionRequest, [internal]);
  expect(warning).toEqual(IDLE);
  expect(warning).not.toHaveProperty('options');
});

test.each<[fix: Edits, field: string, patch: readonly object[] | undefined]>([
  [sendValue('23'), '/preset', undefined],
  [sendOption('vf', 'scale=2:2'), '/preset', undefined],
  [leaveOut(), '/preset', undefined],
  [addOption('pix_fmt', 'yuv420p'), '/preset', [{ op: 'add', path: '/parameters', value: { pix_fmt: 'yuv420p' } }]],
  [sendValue('slow'), '/preset/arguments/speed', [{ op: 'replace', path: '/preset/arguments/speed', value: 'slow' }]],
])('a patch for an option that a recipe sets keeps the recipe: %j at %s', (fix, field, patch) => {
  const body = { input: 'a.mov', output: 'b.mp4', preset: { name: 'own', arguments: { speed: 'slwo' } } };
  const found = { field: '/parameters/preset', code: 'BAD_VALUE', message: 'It is wrong.', fix };
  const argument = field === '/preset' ? {} : { argument: 'speed' };
  const origins = { '/parameters/preset': { field, option: 'preset', ...argument } };
  const [shown = found] = errorsForClient({ ...body, origins }, [found]);
  expect(shown.message).toBe('It is wrong. The recipe "own" sets "preset".');
  expect(shown.field).toBe(field);
  expect(fixPatch(body, shown)).toEqual(patch);
});

const ABSENT: AbsentStream = {
  ...{ option: '/parameters/map', map: '0:s:0', kind: 'subtitle', input: 0 },
  ...{ file: '"film.mp4"', count: 0, content: 'video and audio' },
};
const RAW = 'The map "0:s:0" selects nothing.';

test('a stream that a recipe needs and the source lacks is said in the words of people, before and after the run', () => {
  const message =
    '"film.mp4" has no subtitle stream, only video and audio, and the recipe "extract-subtitles" needs one.';
  const request = withOptionsOf('extract-subtitles', 'map');
  const warning = { code: 'INPUT_INVALID', message: `${RAW} The job would fail.`, fix: 'Send "map".', absent: ABSENT };
  expect(warningsForClient(request, [warning])).toEqual([
    { field: '/preset', code: 'INPUT_INVALID', message: `${message} The job would fail.` },
  ]);
  const failure: Failure = { code: 'INPUT_INVALID', message: RAW, fix: 'Send "map".', about: { absent: ABSENT } };
  expect(failureForClient(request, failure)).toEqual({ code: 'INPUT_INVALID', message });
});

/** A request whose argument has chosen the third stream. `first`: the value of the argument for the first one; `least`: its lowest value. */
const choosing = (sent: number | string, first?: number, least?: number): ConversionRequest => ({
  output: 'b.srt',
  preset: { name: 'extract-subtitles', arguments: { track: sent } },
  origins: {
    '/parameters/map': {
      ...{ field: '/preset/arguments/track', option: 'map', argument: 'track', isOfRecipe: true },
      streams: [{ map: '0:s:2', argument: 'track', ...definedMembers({ first, least }) }],
    },
  },
});
const LACKING: AbsentStream = { ...ABSENT, map: '0:s:2', count: 1 };

test.each([
  [choosing(3, 1), 1, '"track" must be from 1 to 1, not 3: "film.mp4" has only 1 subtitle stream.'],
  [choosing(2, 0, 1), 2, '"track" must be from 1 to 1, not 2: "film.mp4" has only 2 subtitle streams.'],
  [choosing(2, 0), 2, '"track" must be from 0 to 1, not 2: "film.mp4" has only 2 subtitle streams.'],
] as const)(
  'a missing stream is reported at the argument that chooses it, with its range: %#',
  (request, count, message) => {
    const absent = { ...LACKING, count };
    const warning = { code: 'INPUT_INVALID', message: RAW, fix: 'Send "map".', absent };
    const [shown, ...others] = warningsForClient(request, [warning]);
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ field: '/preset/arguments/track', message: `${message} The job would fail.` });
    const failure = failureForClient(request, { code: 'INPUT_INVALID', message: RAW, about: { absent } });
    expect(failure.message).toBe(message);
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

test('a job of an earlier version has only the options of its recipe, which count as before', () => {
  const stored = {
    output: 'b.srt',
    preset: { name: 'extract-subtitles', options: ['map', '/outputs/0/parameters/r'] },
  } as unknown as ConversionRequest;
  const idle = { code: 'NO_EFFECT', message: 'It has no effect.' };
  const fields = ['/parameters/map', '/outputs/0/parameters/r', '/parameters/y'];
  expect(
    warningsForClient(
      stored,
      fields.map((field) => ({ ...idle, field })),
    ),
  ).toEqual([{ ...idle, field: '/parameters/y' }]);
  const failure = failureForClient(stored, { code: 'INPUT_INVALID', message: RAW, about: { absent: ABSENT } });
  expect(failure.message).toContain('the recipe "extract-subtitles" needs one');
});

test('a failure about a measured cut names the arguments of the recipe', () => {
  const cut = { field: '/preset/arguments/pause', argument: 'pause' };
  const own: ConversionRequest = { output: 'b.mp4', origins: { '/cut/remove/silence/minSeconds': cut } };
  const failure: Failure = { code: 'INPUT_INVALID', message: 'Too many.', fix: 'Send a longer "minSeconds".' };
  expect(failureForClient(own, failure).fix).toBe('Send a longer "pause".');
});
