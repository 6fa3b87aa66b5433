import { expect, test } from 'vitest';
import type { MediaPath } from '../../../contract/src/domain/media-path.ts';
import { needsFrame, requestForWatchedFile } from './file-request.ts';

const AT = new Date('2026-11-20T10:00:00Z');
const path = 'in/a/b/take 1.mov' as MediaPath;

test('outputs keep the folders below the watched one, and have the name, the day and the size of the video', () => {
  const request = { output: 'out/{date}/{folder}{name}-{width}x{height}.mp4' };
  const frame = { width: 1920, height: 1080 };
  expect(requestForWatchedFile({ folder: 'in/', request }, path, { at: AT, frame, replaces: false })).toEqual({
    input: 'in/a/b/take 1.mov',
    output: 'out/2026-11-20/a/b/take 1-1920x1080.mp4',
  });
  expect([needsFrame(request), needsFrame({ output: '{name}.mp4' })]).toEqual([true, false]);
});

test('a file directly in the watched folder has no folders, also in the whole media root and in a bucket', () => {
  const facts = { at: AT, replaces: false };
  const of = (folder: string, file: string) =>
    requestForWatchedFile({ folder, request: { output: 'out/{folder}{name}.mp4' } }, file as MediaPath, facts).output;
  expect(of('', 'a.mov')).toBe('out/a.mp4');
  expect(of('s3://raw/in/', 's3://raw/in/x/a.mov')).toBe('out/x/a.mp4');
});

test('a name that looks like a placeholder stays as it is', () => {
  const facts = { at: AT, replaces: false };
  const request = { output: 'out/{folder}{name}.mp4' };
  expect(requestForWatchedFile({ folder: 'in/', request }, 'in/{name}/{folder}.mov' as MediaPath, facts).output).toBe(
    'out/{name}/{folder}.mp4',
  );
});

test('a percent sign in a folder is no counter of an output with a counter', () => {
  const request = { output: 'out/{folder}{name}-%03d.jpg' };
  const facts = { at: AT, replaces: false };
  expect(requestForWatchedFile({ folder: 'in/', request }, 'in/5%d/50%.mov' as MediaPath, facts).output).toBe(
    'out/5%%d/50%%-%03d.jpg',
  );
});

test('a new version replaces the outputs of the earlier one, unless the request says whether it may', () => {
  const facts = { at: AT, replaces: true };
  const of = (parameters: Record<string, string> | undefined) =>
    requestForWatchedFile(
      { folder: 'in/', request: { output: 'out/{name}.mp4', ...(parameters && { parameters }) } },
      path,
      facts,
    ).parameters;
  expect(of(undefined)).toEqual({ y: 'true' });
  expect(of({ crf: '23' })).toEqual({ crf: '23', y: 'true' });
  expect(of({ n: '' })).toEqual({ n: '' });
});
