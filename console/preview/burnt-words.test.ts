import { expect, test } from 'vitest';
import { burnsWords, readsTimes, subtitlesOf } from './burnt-words.ts';

const FILM = { input: 'in.mp4', parameters: { ss: '1:00' } };
const DRAWN = { vf: 'subtitles=talk.srt' };

test.each([
  [{ vf: 'scale=2:2,subtitles=in.srt' }, true],
  [{ vf: 'ass=in.ass' }, true],
  [{ filter_complex: '[0:v]drawtext=text=Hello[v]' }, true],
  [{ vf: 'scale=2:2', map: 'subtitles=a' }, false],
  [{ vf: "drawbox@a=color='red,subtitles=a'" }, false],
  [{ 'c:s': 'mov_text' }, false],
])('whether words are burnt into the picture: %j: %s', (parameters, isBurnt) => {
  expect(burnsWords({ parameters })).toBe(isBurnt);
});

test('the subtitles are the file that a filter names', () => {
  const named = (vf: string) =>
    subtitlesOf({ inputs: ['in.mp4', 'other.srt'], output: 'a.mp4', parameters: { vf } })?.path;
  expect(named("subtitles=filename='subs/talk.vtt':si=0")).toBe('subs/talk.vtt');
  expect(named("scale=2:2,subtitles='my talk.srt':force_style='Fontsize=20'")).toBe('my talk.srt');
  expect(named(String.raw`subtitles=it\\\'s\, a talk\\: one.srt:si=0`)).toBe("it's, a talk: one.srt");
  expect(named('subtitles=talk.ass')).toBeUndefined();
  expect(named('subtitles=https\\\\://example.com/talk.srt')).toBeUndefined();
});

test('subtitles that become a track are not in the picture', () => {
  const inputs = ['in.mp4', 'talk.srt'];
  expect(subtitlesOf({ inputs, output: 'a.mp4', parameters: { map: ['0', '1'], 'c:s': 'mov_text' } })).toBeUndefined();
});

test('the words of a part count from its start, unless the frames have the times of the film', () => {
  const offsetOf = (vf: string) =>
    subtitlesOf({ inputs: [FILM, 'talk.srt'], output: 'a.mp4', parameters: { vf } })?.offset;
  expect(offsetOf('subtitles=talk.srt')).toBe(60);
  expect(offsetOf('setpts=PTS+round(60/TB),subtitles=talk.srt,setpts=PTS-round(60/TB)')).toBe(0);
  expect(offsetOf('setpts=PTS+(60)/TB,subtitles=talk.srt')).toBe(0);
  expect(offsetOf('setpts=PTS+10/TB,subtitles=talk.srt')).toBe(50);
  expect(offsetOf('setpts=PTS+RTCTIME,subtitles=talk.srt')).toBe(0);
  expect(offsetOf('subtitles=talk.srt,setpts=PTS+1/TB')).toBe(60);
  expect(offsetOf('setpts=PTS-STARTPTS,subtitles=talk.srt')).toBe(60);
});

test('the start of a part can count from the end of the film, and its frames can keep their times', () => {
  const offsetOf = (parameters: Record<string, string>, sourceSeconds?: number) =>
    subtitlesOf({ input: 'in.mp4', output: 'a.mp4', parameters: { ...DRAWN, ...parameters } }, sourceSeconds)?.offset;
  expect(offsetOf({ sseof: '-10' }, 90)).toBe(80);
  expect(offsetOf({ sseof: '-10' })).toBe(0);
  expect(offsetOf({ ss: '5' }, 90)).toBe(0);
  const inputs = [FILM, 'talk.srt'];
  expect(subtitlesOf({ inputs, output: 'a.mp4', parameters: { ...DRAWN, copyts: '' } })?.offset).toBe(0);
});

test('a graph whose words the preview does not shift names no subtitles', () => {
  const request = (name: string) => ({
    inputs: ['in.mp4', 'in.srt'],
    output: 'a.mp4',
    parameters: { [name]: 'subtitles=in.srt' },
  });
  expect(subtitlesOf(request('filter_complex'))).toBeUndefined();
  expect(subtitlesOf(request('filter:v:0'))).toEqual({ path: 'in.srt', offset: 0 });
});

test.each([
  ['scale=2:2,ass=in.ass', true],
  ['fade=t=in:d=1', true],
  ["drawtext=text=Hello:enable='between(t,1,2)'", true],
  ['scale=2:2,drawtext=text=fade', false],
])('whether filters act by the times of frames: %s: %s', (graph, reads) => {
  expect(readsTimes(graph)).toBe(reads);
});
