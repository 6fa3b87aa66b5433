import { expect, test } from 'vitest';
import { parseLogLine } from './log-line.ts';
import { SelectedFontReader } from './run-complaints.ts';

const PREFIX = '[Parsed_subtitles_0 @ 0x556de6323280] [info]';
const DEJAVU = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf, 0, DejaVuSans';

function read(...lines: readonly string[]) {
  const reader = new SelectedFontReader();
  for (const line of lines) reader.feed(parseLogLine(line));
  return reader.found;
}

test('of each family, the first font that libass took, as ffmpeg 5.1 and 7.1 print it', () => {
  const found = read(
    `${PREFIX} Using font provider fontconfig`,
    `${PREFIX} fontselect: (Foo Bar, 400, 0) -> ${DEJAVU}`,
    `${PREFIX} fontselect: (GLYPHICONS Halflings, 400, 0) -> GLYPHICONSHalflings-Regular, 0, GLYPHICONSHalflings-Regular`,
    `${PREFIX} Glyph 0x48 not found, selecting one more font for (GLYPHICONS Halflings, 400, 0)`,
    `${PREFIX} fontselect: (GLYPHICONS Halflings, 400, 0) -> ${DEJAVU}`,
  );
  expect(found).toEqual([
    { family: 'Foo Bar', installed: 'DejaVuSans' },
    { family: 'GLYPHICONS Halflings', installed: undefined },
  ]);
});

test('lines of other parts of ffmpeg say nothing about fonts', () => {
  const text = `fontselect: (Foo Bar, 400, 0) -> ${DEJAVU}`;
  expect(read(`[Parsed_drawtext_0 @ 0x55] [info] ${text}`, `[info] ${text}`, text)).toEqual([]);
});
