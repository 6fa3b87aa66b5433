import { expect, test } from 'vitest';
import { FILTER_FILES } from '../../packages/ffmpeg/src/allowlist/filter-files.ts';
import { isFilterCause } from '../../packages/ffmpeg/src/log/log-allowlist.ts';

const isCause = (filter: string): boolean =>
  isFilterCause({ level: 'error', component: `Parsed_${filter}_0`, text: 'Invalid line: abc', isColored: true });

test('no failure quotes the messages of a filter that reads files, because they may contain text of the file', () => {
  expect(isCause('crop')).toBe(true);
  expect([...FILTER_FILES.keys()].filter(isCause)).toEqual([]);
});
