import { expect, test } from 'vitest';
import { pathInRoot } from './path-in-root.ts';

test.each([
  ['.', '.', ''],
  ['renders', '.', 'renders/'],
  ['teams/shop', 'teams', 'shop/'],
  ['teams', 'teams', ''],
  ['teamshop', 'teams', undefined],
  ['.', 'teams', undefined],
  ['/mnt/films', '.', undefined],
  ['s3://films/a', '.', undefined],
])('the folder %s is in %s at %s', (root, own, path) => expect(pathInRoot(root, own)).toBe(path));
