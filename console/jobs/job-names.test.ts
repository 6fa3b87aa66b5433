import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { outputText } from './job-names.ts';

test('a job of HLS is called by the playlist that one plays, not by the pattern of the others', () => {
  const job = { output: 'hls/film_%v.m3u8', parameters: { master_pl_name: 'master.m3u8' } };
  expect(outputText(job as unknown as Job)).toBe('hls/master.m3u8');
  expect(outputText({ ...job, output: 'hls/v%v/index.m3u8' } as unknown as Job)).toBe('hls/master.m3u8');
  expect(outputText({ output: 'frames/%03d.png' } as Job)).toBe('frames/%03d.png');
});
