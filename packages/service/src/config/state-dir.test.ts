import { expect, test } from 'vitest';
import { readStateDir } from './environment.ts';

test.each([
  [{ XDG_STATE_HOME: '/state', HOME: '/home/amy' }, '/state/telecine'],
  [{ XDG_STATE_HOME: 'state', HOME: '/home/amy' }, '/home/amy/.local/state/telecine'],
  [{ HOME: '/home/amy' }, '/home/amy/.local/state/telecine'],
  [{ HOME: '' }, undefined],
])('commands with %j remember in %s', (env, folder) => {
  expect(readStateDir(env)).toBe(folder);
});
