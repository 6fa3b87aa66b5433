import { expect, test } from 'vitest';
import { BUILT_IN } from '../../src/recipes/built-in/all.ts';
import { recipeSearch } from '../../src/recipes/search.ts';

const search = recipeSearch();
const first = (words: string): string | undefined => search(BUILT_IN, words)[0]?.name;

test.each(BUILT_IN.map(({ name, title }) => [title, name]))('%s finds %s', (title, name) => {
  expect(first(title)).toBe(name);
});

test.each([
  ['make it fit in 8 MB', 'target-size'],
  ['turn this into an animated gif', 'gif'],
  ['my video is upside down', 'rotate'],
  ['take the audio out as mp3', 'mp3'],
  ['the sound is too quiet', 'loudness'],
  ['get rid of the pauses', 'remove-silence'],
  ['hardcode the subtitles', 'burn-subtitles'],
  ['instagram story from a landscape video', 'vertical'],
  ['convert a flac to wav', 'wav'],
  ['deinterlase an old tape', 'deinterlace'],
  // A limit matters more than "smaller", of which recipes have many synonyms.
  ['compress a recording for an email attachment', 'target-size'],
  ['make a video smaller', 'compress'],
  // The direction counts.
  ['pictures from a video', 'frames'],
  ['pictures to a video', 'pictures-to-video'],
  // The result is a file of this extension.
  ['album art into an mp3', 'add-cover'],
  ['gif to mp4', 'web-h264'],
  // "without re-encoding" is the opposite of "re-encode".
  ['re-encode to h264', 'web-h264'],
  ['cut without transcoding', 'cut-without-encoding'],
  ['transcribe a meeting', 'wav'],
  // Forms of one word.
  ['transcribing voice memos', 'wav'],
  ['muting a video', 'remove-audio'],
  ['sound waves of a track', 'waveform'],
])('"%s" finds %s', (words, name) => {
  expect(first(words)).toBe(name);
});

test('words that no recipe has find nothing', () => {
  expect(search(BUILT_IN, 'xyzzy qwfp')).toEqual([]);
});
