import { expect, test } from 'vitest';
import { messagesOfRequest } from './messages-of-request.ts';

test('messages about the request in a larger body are those about the request, with their fixes', () => {
  const [crf, both, ...others] = messagesOfRequest([
    {
      ...{ field: '/request/parameters/crf', message: 'Wrong.' },
      apply: [{ op: 'replace', path: '/request/parameters/crf', value: '51' }],
    },
    {
      ...{ field: '/request/preset/arguments/size', message: 'Wrong.' },
      apply: [{ op: 'remove', path: '/recipe/arguments/size' }],
    },
    { field: '/folder', message: 'Wrong.' },
  ]);
  expect(crf).toMatchObject({ field: '/parameters/crf', apply: [{ path: '/parameters/crf' }] });
  expect(both).toEqual({ field: '/preset/arguments/size', message: 'Wrong.' });
  expect(others).toEqual([]);
});
