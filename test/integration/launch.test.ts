import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { launch } from '../../src/ffmpeg/process/launch.ts';

const IGNORED = { push: () => undefined, end: () => undefined };

test('the error of a program that cannot be started does not contain its arguments, which may be keys', async () => {
  const command = {
    file: '/nowhere/ffmpeg',
    args: ['-encryption_key', '76a6c65c'],
    cwd: '/',
    env: {},
    inNamespace: false,
  };
  const { ended } = launch({ ...command, files: [] }, { out: IGNORED, err: IGNORED });
  const error = await ended.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('76a6c65c');
});
