import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { existingOutput, outputText } from './job-names.ts';

test('a job of HLS is called by the playlist that one plays, not by the pattern of the others', () => {
  const job = { output: 'hls/film_%v.m3u8', parameters: { master_pl_name: 'master.m3u8' } };
  expect(outputText(job as unknown as Job)).toBe('hls/master.m3u8');
  expect(outputText({ ...job, output: 'hls/v%v/index.m3u8' } as unknown as Job)).toBe('hls/master.m3u8');
  expect(outputText({ output: 'frames/%03d.png' } as Job)).toBe('frames/%03d.png');
});

test('the file that a job did not replace is the requested output that its error names', () => {
  const requestedOutputs = [{ output: 'a.mp4' }, { output: 'films/b.mp4' }];
  const failedWith = (code: string, path: string): Job =>
    ({ requestedOutputs, error: { code, message: `Output "${path}" already exists; nothing was changed.` } }) as Job;
  expect(existingOutput(failedWith('OUTPUT_EXISTS', 'films/b.mp4'))).toBe('films/b.mp4');
  expect(existingOutput(failedWith('OUTPUT_EXISTS', 'films/b.vtt'))).toBeUndefined();
  expect(existingOutput(failedWith('FFMPEG_FAILED', 'a.mp4'))).toBeUndefined();
});
