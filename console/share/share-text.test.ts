import type { Share } from '@telecine/client';
import { expect, test } from 'vitest';
import { arrangeShares, countByPath, downloadsText, isWorking, markOf } from './share-text.ts';

test.each([
  [0, 'no download counted'],
  [1, 'downloaded once'],
  [1200, 'downloaded 1,200 times'],
] as const)('a link with %i counted downloads says "%s"', (uses, text) => {
  expect(downloadsText({ uses })).toBe(text);
});

test('a link without a state works, because a service of the version before lists only those', () => {
  const { state: _, ...earlier } = { shareId: 'a', state: 'ACTIVE' };
  expect(isWorking(earlier as Share)).toBe(true);
});

test('a link is told from others by its note, or by when it was created', () => {
  const createdAt = '2026-01-31T12:00:05.000Z';
  expect(markOf({ createdAt, note: 'for Ada' })).toBe('for Ada');
  expect(markOf({ createdAt })).not.toBe(markOf({ createdAt: '2026-01-31T12:00:06.000Z' }));
});

test('links that work come first, and only some that have ended are shown', () => {
  const share = (shareId: string, state: Share['state']) => ({ shareId, state }) as Share;
  const shares = [
    ...['e', 'd', 'c', 'b'].map((id) => share(id, 'REVOKED')),
    share('x', 'ACTIVE'),
    share('a', 'EXPIRED'),
  ];
  const idsOf = (showsAll: boolean) => {
    const { shown, hidden } = arrangeShares(shares, showsAll);
    return [shown.map(({ shareId }) => shareId).join(''), hidden];
  };
  expect(idsOf(false)).toEqual(['xedc', 2]);
  expect(idsOf(true)).toEqual(['xedcba', 0]);
});

test('the links to a file that work are counted, and those to several outputs of a job are not', () => {
  const share = (path: string | undefined, state: Share['state']) => ({ path, state }) as Share;
  const shares = [
    ...[share('a.mp4', 'ACTIVE'), share('b.mp4', 'REVOKED'), share('a.mp4', 'ACTIVE')],
    ...[share(undefined, 'ACTIVE'), share('c.mp4', 'ACTIVE')],
  ];
  expect([...countByPath(shares)]).toEqual([
    ['a.mp4', 2],
    ['c.mp4', 1],
  ]);
});
