import { expect, test } from 'vitest';
import type { FinishedPass } from '../facts/finished-pass.ts';
import { MediaFacts } from '../facts/media-facts.ts';
import { readOptionFacts } from '../facts/option-facts.ts';
import { DRAWN_SUBTITLE_RULES } from './drawn-subtitles.ts';

/** Returns the fonts that the warnings name after a run with this filter, in which libass selected `fonts`. */
function replaced(filter: string, fonts: Readonly<Record<string, string | undefined>>): readonly string[] {
  const selectedFonts = Object.entries(fonts).map(([family, installed]) => ({ family, installed }));
  const plan = { inputs: [], passes: [['-filter:v', filter]] } as unknown as FinishedPass['plan'];
  const pass = { plan, complaints: { selectedFonts } } as unknown as FinishedPass;
  const run = DRAWN_SUBTITLE_RULES['replaced-fonts']?.run;
  const found = run?.({ facts: new MediaFacts(plan, [], []), pass, options: readOptionFacts([]) });
  return [found ?? []].flat().map(({ message }) => /"(.*?)"/.exec(message)?.[1] ?? '');
}

const FILTER = 'subtitles=filename=in/1.srt';

test('warns about a font that the subtitles name, if libass surely took another one', () => {
  expect(replaced(FILTER, { Inter: 'DejaVuSans' })).toEqual(['Inter']);
  expect(replaced('ass=filename=in/1.ass', { 'Comic Sans MS': 'LiberationSans-Bold' })).toEqual(['Comic Sans MS']);
});

test.each([
  ['a font that is installed', { 'DejaVu Sans Mono': 'DejaVuSansMono' }],
  ['a font that is an input or attached', { Inter: undefined }],
  ['a font whose PostScript name differs from its family', { 'Linux Libertine O': 'LinLibertineO' }],
  ['the font that ffmpeg names itself', { Arial: 'DejaVuSans' }],
  ['a generic name', { 'Sans-Serif': 'DejaVuSans' }],
])('is quiet about %s', (_what, fonts) => expect(replaced(FILTER, fonts)).toEqual([]));

test('Arial counts if the request names it', () => {
  expect(replaced(`${FILTER}:force_style=Bold=1\\,FontName=Arial`, { Arial: 'DejaVuSans' })).toEqual(['Arial']);
});
