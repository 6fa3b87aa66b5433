import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { settingsOf } from './job-settings.ts';

const job = (members: object) => ({ client: 'amy', ...members }) as unknown as Job;

test('another source gets the options of a job, and none of its files', () => {
  const done = job({ input: 'a.mov', output: 'b.mp4', parameters: { crf: '30', y: '' }, metadata: { order: '1' } });
  expect(settingsOf(done, undefined)).toEqual({
    inputs: [],
    output: '',
    parameters: { crf: '30' },
  });
});

test('a recipe is applied again, with the options that were sent beside it', () => {
  const done = job({
    ...{ input: 'a.mov', output: 'b.mp4', quality: { target: 0.98 } },
    preset: { name: 'target-size', version: 3, arguments: { size: 8 } },
    parameters: { 'b:v': '812k', 'b:a': '96k', preset: 'slow' },
  });
  expect(settingsOf(done, { 'b:v': '812k', 'b:a': '128k', preset: 'slow' })).toEqual({
    inputs: [],
    output: '',
    parameters: { 'b:a': '96k' },
    preset: { name: 'target-size', arguments: { size: 8 } },
  });
});

test('several outputs keep their options, and get other names', () => {
  const requestedOutputs = [{ output: 'a.mp4', parameters: { crf: '30' } }, { output: 'b.jpg' }];
  expect(settingsOf(job({ input: 'a.mov', requestedOutputs }), undefined)).toEqual({
    inputs: [],
    outputs: [{ output: '', parameters: { crf: '30' } }, { output: '' }],
  });
});
