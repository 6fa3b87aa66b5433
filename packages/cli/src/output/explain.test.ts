import { ClientError } from '@telecine/client/client-error.ts';
import { expect, test } from 'vitest';
import { exitStatusOf, RejectedOptions } from '../exit-status.ts';
import { explain } from './explain.ts';

const rejected = (vf: string) => {
  const errors = [
    {
      field: '/parameters/vf',
      code: 'UNKNOWN_FILTER',
      message: 'The installed ffmpeg has no filter "blurr".',
      at: { offset: 10, length: 5 },
      fix: 'Send "vf": "scale=2:2,blur=2".',
    },
  ];
  const problem = { type: 't', title: 'T', status: 400, detail: 'D', code: 'INVALID_REQUEST', requestId: '1', errors };
  return exitStatusOf(new RejectedOptions(new ClientError('rejected', 'D', { status: 400, problem }), { vf }));
};

const lines = (vf: string): readonly string[] => {
  const status = rejected(vf);
  return status === undefined ? [] : explain(status);
};

test('an error in a filtergraph is shown below the value that the caller wrote', () => {
  expect(lines('scale=2:2,blurr=2').slice(0, 3)).toEqual([
    'error: The installed ffmpeg has no filter "blurr".',
    '  scale=2:2,blurr=2',
    '            ^^^^^',
  ]);
});

test('a value that was sent with the path of an upload in it is not shown', () => {
  expect(lines('subtitles={1},blurr=2').join('\n')).not.toContain('^');
});
