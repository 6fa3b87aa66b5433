import { expect, test } from 'vitest';
import { freshCatalogue, RECORDED } from '../../../test/support/recorded-catalogue.ts';
import { recordedLists } from './recorded-lists.ts';

test.each(RECORDED)('the recorded lists are those that ffmpeg %s prints', (version) => {
  const { build, lists } = freshCatalogue(version);
  for (const [name, names] of Object.entries(recordedLists(build.release) ?? {}))
    expect([name, [...names]]).toEqual([name, [...lists[name as 'colors']]]);
  expect(recordedLists(build.release)?.colors.size).toBeGreaterThan(100);
});

test.each([[[6, 1]], [[9, 1]], [undefined]] as const)('leaves the lists of the release %s to queries', (release) => {
  expect(recordedLists(release)).toBeUndefined();
});
