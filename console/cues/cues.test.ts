import { expect, test } from 'vitest';
import { hasCues } from './cue-files.ts';
import { belongsTo, parseCues, shiftCues, shiftedPath, shiftOf, shiftText, unshifted } from './cues.ts';

const SRT =
  '1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>Good</i> morning.\r\n\r\n2\r\n01:00:04,000 --> 01:00:05,250\r\nTwo\r\nlines\r\n';
const VTT = `WEBVTT - by hand

NOTE 00:01 is not a cue

intro
00:01.500 --> 00:03.000 align:left
Hello

59:59.900 --> 1:00:00.500
Late
`;

test('lists the cues of SubRip and WebVTT, as plain text', () => {
  expect(parseCues(SRT)).toEqual([
    { start: 1.5, end: 3, text: 'Good morning.' },
    { start: 3604, end: 3605.25, text: 'Two\nlines' },
  ]);
  expect(parseCues(VTT)).toEqual([
    { start: 1.5, end: 3, text: 'Hello' },
    { start: 3599.9, end: 3600.5, text: 'Late' },
  ]);
  expect(parseCues('no cues\n\nat all')).toEqual([]);
});

test('moves all cues, and leaves everything else as it is', () => {
  expect(shiftCues(VTT, 1.25)).toBe(`WEBVTT - by hand

NOTE 00:01 is not a cue

intro
00:02.750 --> 00:04.250 align:left
Hello

01:00:01.150 --> 01:00:01.750
Late
`);
  expect(shiftCues(SRT, 0)).toBe(SRT.replaceAll('\r', ''));
});

test('cues that would end before the start are left out, and none begins before it', () => {
  expect(shiftCues(SRT, -2)).toContain('1\n00:00:00,000 --> 00:00:01,000\n');
  expect(parseCues(shiftCues(SRT, -3))).toEqual([{ start: 3601, end: 3602.25, text: 'Two\nlines' }]);
});

test('a shifted copy is beside its original and says by how much', () => {
  expect(shiftedPath('talks/a.srt', 1.5)).toBe('talks/a (+1.5 s).srt');
  expect(shiftedPath('a.b.vtt', -0.25)).toBe('a.b (−0.25 s).vtt');
  expect(['a.SRT', 'a.vtt', 'a.ass', 'srt'].map(hasCues)).toEqual([true, true, false, false]);
});

test('a shifted copy tells its original and its shift, and a shift says its direction', () => {
  expect(shiftOf(shiftedPath('talks/a.srt', -0.5))).toEqual({ of: 'talks/a.srt', seconds: -0.5 });
  expect(shiftOf('a (+12 s)-2.vtt')).toEqual({ of: 'a.vtt', seconds: 12 });
  expect(shiftOf('a (2).srt')).toEqual({ of: 'a (2).srt', seconds: 0 });
  expect([-0.5, 1.25, 0].map(shiftText)).toEqual(['0.5 s earlier', '1.25 s later', '']);
});

test('a shifted copy counts from its original, and from itself after a change by hand or without its original', () => {
  const path = shiftedPath('a.srt', -2);
  const copy = shiftCues(SRT, -2);
  expect(unshifted(path, copy, SRT)).toEqual({ path: 'a.srt', text: SRT, seconds: -2 });
  const edited = copy.replace('morning', 'evening');
  expect(unshifted(path, edited, SRT)).toEqual({ path, text: edited, seconds: 0 });
  expect(unshifted(path, copy, undefined)).toEqual({ path, text: copy, seconds: 0 });
  expect(unshifted('a.srt', SRT, SRT)).toEqual({ path: 'a.srt', text: SRT, seconds: 0 });
});

test('a chosen cue belongs to the source and the subtitles of which it was chosen', () => {
  const cue = { start: 1, end: 2, text: 'Hello.', path: 'talk.srt', source: 'in.mp4' };
  expect(belongsTo(cue, 'in.mp4', 'talk.srt')).toBe(true);
  expect(belongsTo(cue, 'other.mp4', 'talk.srt')).toBe(false);
  expect(belongsTo(cue, 'in.mp4', 'other.srt')).toBe(false);
  expect(belongsTo(cue, 'in.mp4', undefined)).toBe(false);
});
