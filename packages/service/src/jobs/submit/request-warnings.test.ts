import { expect, test } from 'vitest';
import { tagWarnings } from './request-warnings.ts';

const request = { input: 'in.mp4', output: 'out.mp4' };

test('warns about tags in the metadata of the job, with the option that writes them', () => {
  expect(tagWarnings({ ...request, metadata: { Title: 'Summer', order: '7' } })).toEqual([
    {
      field: '/metadata',
      code: 'NOT_WRITTEN',
      message:
        '"metadata" beside "parameters" is your own data about the job; "Title" is not written to the output. "metadata" in "parameters" writes tags.',
    },
  ]);
});

test('does not warn about other names, or if the request writes tags', () => {
  expect(tagWarnings({ ...request, metadata: { order: '7' } })).toEqual([]);
  expect(tagWarnings({ ...request, metadata: { title: 'a' }, parameters: { metadata: 'title=a' } })).toEqual([]);
});
