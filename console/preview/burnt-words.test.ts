import { expect, test } from 'vitest';
import { burnsWords, subtitlesOf } from './burnt-words.ts';

const FILM = { input: 'in.mp4', parameters: { ss: '1:00' } };

test.each([
  [{ vf: 'scale=2:2,subtitles=in.srt' }, true],
  [{ vf: 'ass=in.ass' }, true],
  [{ filter_complex: '[0:v]drawtext=text=Hello[v]' }, true],
  [{ vf: 'scale=2:2', map: 'subtitles=a' }, false],
  [{ 'c:s': 'mov_text' }, false],
])('whether words are burnt into the picture: %j: %s', (parameters, isBurnt) => {
  expect(burnsWords({ parameters })).toBe(isBurnt);
});

test('the subtitles are a further file, or the one that a filter names', () => {
  expect(subtitlesOf({ inputs: ['in.mp4', 'talk.srt'], output: 'a.mp4' })).toEqual({ path: 'talk.srt', offset: 0 });
  const named = { input: 'in.mp4', output: 'a.mp4', parameters: { vf: "subtitles=filename='subs/talk.vtt':si=0" } };
  expect(subtitlesOf(named)).toEqual({ path: 'subs/talk.vtt', offset: 0 });
  expect(subtitlesOf({ inputs: ['in.mp4', 'logo.png'], output: 'a.mp4' })).toBeUndefined();
  expect(subtitlesOf({ inputs: ['in.mp4', 'https://example.com/talk.srt'], output: 'a.mp4' })).toBeUndefined();
});

test('the words of a part count from its start, unless the frames have the times of the film', () => {
  const request = (vf: string) => ({ inputs: [FILM, 'talk.srt'], output: 'a.mp4', parameters: { vf } });
  expect(subtitlesOf(request('subtitles=talk.srt'))?.offset).toBe(60);
  expect(subtitlesOf(request('setpts=PTS+round(60/TB),subtitles=talk.srt,setpts=PTS-round(60/TB)'))?.offset).toBe(0);
  expect(subtitlesOf(request('subtitles=talk.srt,setpts=PTS+1/TB'))?.offset).toBe(60);
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
