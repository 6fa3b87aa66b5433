import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { film, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Follows every fix of one answer. */
function followAll(request: ConversionRequest): ConversionRequest {
  const all = mistakesIn(request);
  expect(all.length).toBeGreaterThan(0);
  return all.reduce<ToolArguments>(
    (at, { message, field, fix }) => applyFix(at, { code: '', message, field, fix: String(fix) }),
    request as never,
  ) as never;
}

test.each<[sent: ConversionRequest, right: ConversionRequest]>([
  [film({ 'c:v': 'h264_vaapi', qp: '24' }), film({ 'c:v': 'libx264', qp: '24' })],
])('all fixes of one answer to %j give what was meant', (sent, right) => {
  const meant = followAll(sent);
  expect(meant).toEqual(right);
  expect(mistakesIn(meant)).toEqual([]);
});

test('the first pass alone says that its options are those of the result', () => {
  const pass = { 'c:v': 'libx264', 'b:v': '500k', pass: '1' };
  const messageFor = (more: Parameters) => mistakesIn(film({ ...pass, ...more })).map(({ message }) => message);
  expect(messageFor({ vn: '' })).toMatchObject([expect.stringMatching(/runs both passes, with all other options/)]);
  expect(messageFor({})).toMatchObject([expect.stringMatching(/keeps the log of the first\.$/)]);
});

const WITH_WORDS = { inputs: ['a.mp4', 'words.srt'], output: 'b.mp4' };

test.each<ConversionRequest>([
  { ...WITH_WORDS, output: 'b.mkv', parameters: { c: 'copy' } },
  { ...WITH_WORDS, parameters: { c: 'copy', sn: '' } },
  { ...WITH_WORDS, parameters: { vf: 'subtitles=words.srt' } },
  { inputs: ['a.webm', 'words.srt'], output: 'b.webm' },
  { ...WITH_WORDS, output: 'b.mp3', parameters: { vn: '' } },
  {
    input: 'a.mp4',
    output: 'm.mpd',
    parameters: { c: 'copy', adaptation_sets: 'id=0,seg_duration=2,streams=0,1 id=1,streams=a' },
  },
  {
    input: 'a.gif',
    output: 'b.gif',
    parameters: { filter_complex: '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse' },
  },
])('nothing is wrong with %j', (request) => {
  expect(mistakesIn(request)).toEqual([]);
});
