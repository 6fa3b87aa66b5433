import type { Share } from '@telecine/client';
import { expect, test } from 'vitest';
import { arrangeShares, downloadsText } from './share-text.ts';

test.each([
  ['ACTIVE', 0, 'not downloaded yet'],
  ['REVOKED', 0, 'never downloaded'],
  ['EXPIRED', 1, 'downloaded once'],
  ['ACTIVE', 1200, 'downloaded 1,200 times'],
] as const)('a link that is %s with %i downloads is %s', (state, uses, text) => {
  expect(downloadsText({ state, uses })).toBe(text);
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
