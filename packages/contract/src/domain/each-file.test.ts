import { expect, test } from 'vitest';
import { eachErrors, findSameName, patternOf, requestForFile, sizeOfEach } from './each-file.ts';
import type { MediaPath } from './media-path.ts';
import { suggest } from './suggest.ts';

const file = (path: string): MediaPath => path as MediaPath;
const codesOf = (request: Parameters<typeof eachErrors>[0]) =>
  eachErrors(request).map(({ path, code }) => `/${path.join('/')} ${code}`);

test('a folder means all its files', () => {
  expect(['wavs/', '/', 'wavs/*.wav', 'wavs/*'].map(patternOf)).toEqual(['wavs/*', '/*', 'wavs/*.wav', 'wavs/*']);
});

test.each<[what: string, request: Parameters<typeof eachErrors>[0], errors: readonly string[]]>([
  ['the name of the file', { each: 'wavs/*', output: 'mp3/{name}.mp3' }, []],
  ['no name', { each: 'wavs/*', output: 'mp3/out.mp3' }, ['/output NO_PLACEHOLDER']],
  ['another placeholder', { each: 'wavs/*', output: '{name}.{ext}' }, ['/output UNKNOWN_PLACEHOLDER']],
  ['the path', { each: 'wavs/*', output: 'mp3/{path}' }, ['/output UNKNOWN_PLACEHOLDER']],
  [
    'several outputs',
    { each: 'a/*', outputs: [{ output: '{name}.mp4' }, { output: 'b.jpg' }] },
    ['/outputs/1/output NO_PLACEHOLDER'],
  ],
])('checks an output with %s', (_what, request, errors) => {
  expect(codesOf(request)).toEqual(errors);
});

test('a name with blanks is one file', () => {
  const output = 'o/{name}.mp4';
  expect(eachErrors({ each: 'clips/My.mp4 old.mp4', output })).toEqual([]);
});

test('a wildcard is only in the name of the file, and a job of "each" has no name', () => {
  const output = '{name}.mp3';
  expect(codesOf({ each: '*/a.wav', output })).toEqual(['/each WILDCARD_IN_FOLDER']);
  expect(codesOf({ each: 'a?/', output })).toEqual(['/each WILDCARD_IN_FOLDER']);
  expect(codesOf({ each: '[2026] wavs/*.wav', output })).toEqual([]);
  expect(codesOf({ each: 'a/*', name: 'one', output })).toEqual(['/name EXCLUSIVE']);
});

test('inputs name the file of each job', () => {
  const request = { each: 'a/*', output: '{name}.mp4' };
  expect(codesOf({ ...request, input: 'b.mp4' })).toEqual(['/input NO_PLACEHOLDER']);
  expect(codesOf({ ...request, inputs: ['b.mp4', { source: 'anullsrc' }] })).toEqual(['/inputs NO_PLACEHOLDER']);
  expect(codesOf({ ...request, inputs: ['{path}', 'logo.png'] })).toEqual([]);
  expect(codesOf({ ...request, input: 'proxies/{name}.mov' })).toEqual([]);
});

test('an argument of the recipe can name the file instead of an input', () => {
  const request = { each: 'tracks/*.wav', input: 'film.mp4', output: 'out/{name}.mp4' };
  expect(codesOf({ ...request, preset: { name: 'replace-audio', arguments: { sound: '{path}' } } })).toEqual([]);
  expect(codesOf({ ...request, preset: { name: 'replace-audio', arguments: { sound: 'a.wav', delay: 1 } } })).toEqual([
    '/input NO_PLACEHOLDER',
  ]);
});

test('an unknown placeholder in an input is not taken for a file', () => {
  const request = { each: 'films/*', output: '{name}.mp4' };
  expect(codesOf({ ...request, inputs: ['{path}', 'subs/{stem}.srt', { input: '{ext}' }] })).toEqual([
    '/inputs/1 UNKNOWN_PLACEHOLDER',
    '/inputs/2/input UNKNOWN_PLACEHOLDER',
  ]);
  expect(codesOf({ ...request, input: '{path}.{ext}' })).toEqual(['/input UNKNOWN_PLACEHOLDER']);
});

test('a placeholder that would stay literal in all jobs is rejected', () => {
  const request = { each: 'films/*', output: 'hls/{name}.m3u8' };
  const text = 'drawtext=text={name}';
  expect(
    codesOf({
      ...request,
      inputs: ['{path}', { source: 'color', parameters: { metadata: ['a=b', 'title={path}'] } }],
      parameters: { hls_segment_filename: 'hls/{name}_%03d.ts', vf: text },
      fallback: { vf: text },
      metadata: { title: '{name}', kind: '{a}' },
      encrypt: { keyUri: 'https://keys.example.com/{name}' },
    }),
  ).toEqual([
    '/parameters/vf UNKNOWN_PLACEHOLDER',
    '/fallback/vf UNKNOWN_PLACEHOLDER',
    '/inputs/1/parameters/metadata/1 UNKNOWN_PLACEHOLDER',
    '/metadata/title UNKNOWN_PLACEHOLDER',
    '/encrypt/keyUri UNKNOWN_PLACEHOLDER',
  ]);
  const parameters = { hls_segment_filename: 'hls/{path}_%03d.ts', vf: 'drawtext=text=%{name}{x}' };
  expect(codesOf({ ...request, parameters })).toEqual(['/parameters/hls_segment_filename UNKNOWN_PLACEHOLDER']);
});

test('further files that all jobs would write under the same names are rejected', () => {
  const parameters = { hls_segment_filename: 'parts/%03d.ts', hls_time: '2' };
  const errorsOf = (request: object) => eachErrors({ each: 'films/*', ...request });
  expect(errorsOf({ output: 'hls/{name}.m3u8', parameters })).toMatchObject([
    {
      path: ['parameters', 'hls_segment_filename'],
      code: 'NO_PLACEHOLDER',
    },
  ]);
  expect(errorsOf({ output: 'hls/{name}/index.m3u8', parameters })).toEqual([]);
  const outputs = [{ output: '{name}/a.mp4' }, { output: '{name}.m3u8', parameters: { master_pl_name: 'm.m3u8' } }];
  expect(codesOf({ each: 'a/*', outputs })).toEqual(['/outputs/1/parameters/master_pl_name NO_PLACEHOLDER']);
  expect(codesOf({ each: 'a/*', outputs, fallback: { segment_list: 'a.csv' } })).toEqual([
    '/fallback/segment_list NO_PLACEHOLDER',
    '/outputs/1/parameters/master_pl_name NO_PLACEHOLDER',
  ]);
});

test('segments that ffmpeg names the same for all jobs are rejected', () => {
  const errorsOf = (request: object) => codesOf({ each: 'films/*', ...request });
  expect(errorsOf({ output: 'dash/{name}.mpd' })).toEqual(['/output NO_PLACEHOLDER']);
  expect(errorsOf({ output: '{name}.m3u8', parameters: { hls_segment_type: 'fmp4' } })).toEqual([
    '/output NO_PLACEHOLDER',
  ]);
  expect(errorsOf({ output: 'dash/{name}/index.mpd' })).toEqual([]);
  expect(errorsOf({ output: 'hls/{name}.m3u8' })).toEqual([]);
  const parameters = { init_seg_name: '{name}-init-$RepresentationID$.m4s', media_seg_name: '{name}-$Number$.m4s' };
  expect(errorsOf({ output: 'dash/{name}.mpd', parameters })).toEqual([]);
});

test('an unknown placeholder has the allowed ones', () => {
  const [error] = eachErrors({ each: 'a/*', output: 'o/{nmae}.mp4' });
  expect(suggest({ ...error, nearest: error?.nearest })).toMatchObject({ allowed: ['{name}'], fix: 'Send "{name}".' });
});

test('a percent sign in the name of a file is one in names with a counter too', () => {
  const filled = requestForFile(
    { outputs: [{ output: '{name}_%03d.png' }, { output: '{name}.mp4' }] },
    file('films/50%d off.mov'),
  );
  expect(filled.outputs).toEqual([{ output: '50%%d off_%03d.png' }, { output: '50%d off.mp4' }]);
});

test('each job has segments of its own', () => {
  const named = (name: string) => ({ hls_segment_filename: `hls/${name}_%03d.ts`, f: 'hls' });
  const filled = requestForFile(
    {
      output: '{name}.m3u8',
      parameters: named('{name}'),
      fallback: named('{name}'),
      outputs: [{ output: '{name}.m3u8', parameters: named('{name}') }],
    },
    file('films/a.mov'),
  );
  expect(filled).toMatchObject({
    parameters: named('a'),
    fallback: named('a'),
    outputs: [{ output: 'a.m3u8', parameters: named('a') }],
  });
});

test('fills in the name and the path of the file', () => {
  const parameters = { metadata: 'title=a' };
  expect(requestForFile({ output: 'mp3/{name}.mp3', parameters }, file('wavs/a.b.wav'))).toEqual({
    input: 'wavs/a.b.wav',
    output: 'mp3/a.b.mp3',
    parameters,
  });
  expect(
    requestForFile(
      {
        inputs: ['{path}', { input: 'subs/{name}.srt', parameters }, { source: 'color={name}' }],
        outputs: [{ output: '{name}/film.mp4' }, { output: '{name}/{name}.jpg' }],
        preset: { name: 'p', arguments: { logo: '{name}.png', size: 8 } },
      },
      file('films/$&.mov'),
    ),
  ).toEqual({
    inputs: ['films/$&.mov', { input: 'subs/$&.srt', parameters }, { source: 'color={name}' }],
    outputs: [{ output: '$&/film.mp4' }, { output: '$&/$&.jpg' }],
    preset: { name: 'p', arguments: { logo: '$&.png', size: 8 } },
  });
});

test('counts at least the characters of a request', () => {
  const request = { output: '{name}{name}{name}.mp3', parameters: { c: 'copy' } };
  const path = file('"""""""""""""""');
  expect(sizeOfEach(request)(path)).toBeGreaterThanOrEqual(JSON.stringify(requestForFile(request, path)).length);
});

test('finds two files that have one name', () => {
  expect(findSameName(['a.wav', 'b.wav', 'b.flac'].map(file))).toEqual(['b.wav', 'b.flac']);
  expect(findSameName(['a.wav', 'A.wav', '.a'].map(file))).toBeUndefined();
});
