import { ClientError } from '@telecine/client/client-error.ts';
import { expect, test } from 'vitest';
import { callerNames } from './caller-names.ts';

const folder = 'cli/2026-01-02-5b45a250-d224-4509-b4bd-2696a20839b2';
const names = callerNames({
  folder,
  uploads: [
    { file: '/home/amy/$&.mp4', path: `${folder}/0-__.mp4`, index: 0 },
    { file: 'words.srt', path: `${folder}/2-words.srt`, index: 2 },
  ],
  fetch: { folder: 'hls', base: `${folder}/out/`, names: [] },
});
const text = (message: string, field?: string) => names.message({ message, field }).message;

test('a message names uploads and outputs by their local paths', () => {
  expect(text(`"${folder}/0-__.mp4" does not suit "${folder}/out/index.m3u8".`)).toBe(
    '"/home/amy/$&.mp4" does not suit "hls/index.m3u8".',
  );
  const here = callerNames({
    folder,
    uploads: [],
    fetch: { folder: '.', base: `${folder}/out/`, names: [] },
  });
  expect(here.message({ message: `${folder}/out/o.mp4` }).message).toBe('o.mp4');
  expect(text('"server/cli/film.mp4" is no file.')).toBe('"server/cli/film.mp4" is no file.');
});

test('an error in a value has the placeholder that the caller wrote, and names the file itself', () => {
  const error = {
    field: '/inputs/0/parameters/vf',
    message: `"subtitles=${folder}/2-words.srt" is wrong: "${folder}/2-words.srt" has no words.`,
    allowed: [`${folder}/2-words.srt`],
    fix: `Send "subtitles=${folder}/2-words.srt".`,
  };
  expect(names.message(error)).toEqual({
    field: error.field,
    message: '"subtitles={2}" is wrong: "words.srt" has no words.',
    allowed: ['{2}'],
    fix: 'Send "subtitles={2}".',
  });
});

test('a path that a message cuts off is still the name of its file, if the cut leaves its number', () => {
  expect(text(`The input "${folder}/2-wor…" is too long.`)).toBe('The input "words.srt" is too long.');
  expect(text(`Not "subtitles=${folder}/2-wor…".`, '/parameters/vf')).toBe('Not "subtitles={2}…".');
  for (const path of [`${folder}/`, folder.slice(0, 20), 'cli/2026'])
    expect(text(`Not "subtitles=${path}…".`, '/parameters/vf')).toBe('Not "subtitles=…".');
});

test('an error of the service names the files too, and other errors stay as they are', () => {
  const problem = {
    type: 't',
    title: 'T',
    status: 422,
    detail: `"${folder}/2-words.srt" is no film.`,
    code: 'INPUT_INVALID' as const,
    requestId: '1',
    errors: [{ field: '/input', code: 'X', message: `"${folder}/2-words.srt" is no film.` }],
  };
  const renamed = names.error(new ClientError('rejected', problem.detail, { status: 422, problem })) as ClientError;
  expect([renamed.message, renamed.status]).toEqual(['"words.srt" is no film.', 422]);
  expect(renamed.problem?.detail).toBe('"words.srt" is no film.');
  expect(renamed.problem?.errors?.[0]?.message).toBe('"words.srt" is no film.');
  const other = new Error(folder);
  expect(names.error(other)).toBe(other);
});

test('a fix names the inputs on the service as the command line does', () => {
  const mixed = callerNames({
    folder,
    uploads: [{ file: 'talk.mp3', path: `${folder}/1-talk.mp3`, index: 1 }],
    inputs: 2,
  });
  const fix = (sent: string, code = 'FFMPEG_FAILED') => mixed.message({ message: '', fix: sent, code }).fix;
  expect(fix('Send "shots/f%04d.png".', 'INPUT_NOT_FOUND')).toBe('Send "server:shots/f%04d.png".');
  expect(fix('Check it. Files in "shots/": "shots/a.mp4", "shots/b.mp4".', 'INPUT_NOT_FOUND')).toBe(
    'Check it. Files in "server:shots/": "server:shots/a.mp4", "server:shots/b.mp4".',
  );
  expect(fix('Check it. Files in the media root: "a.mp4".', 'INPUT_NOT_FOUND')).toBe(
    'Check it. Files in the media root: "server:a.mp4".',
  );
  expect(fix('Send "libx264".')).toBe('Send "libx264".');
});
