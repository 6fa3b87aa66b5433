import { expect, test } from 'vitest';
import { notOffered } from '../../packages/contract/src/domain/unsupported-tasks.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import { recipeSearch } from '../../packages/service/src/recipes/search.ts';
import { MODEL_SENTENCES } from '../fixtures/model-sentences.ts';
import { PEOPLE_PHRASES } from '../fixtures/people-phrases.ts';
import { EVERYDAY_PHRASES } from '../fixtures/recipe-phrases.ts';
import { sampled } from '../support/sampled.ts';

const search = recipeSearch();
const first = async (words: string): Promise<string | undefined> => (await search(BUILT_IN, words)).recipes[0]?.name;

test.each(BUILT_IN.map(({ name, title }) => [title, name]))('%s finds %s', async (title, name) => {
  expect(await first(title)).toBe(name);
});

test.each([
  ['opus', 'opus'],
  ['join clips', 'join'],
  ['merge two videos', 'join'],
  ['concatenate', 'join'],
  ['put an intro before a film', 'join'],
  ['merge clips without re-encoding', 'join-without-encoding'],
  ['combine several mp3 into one', 'join-sounds'],
  ['add a silent audio track', 'add-silent-sound'],
  ['join two mp4', 'join'],
  ['make it fit in 8 MB', 'target-size'],
  // A size in one word is a number and a unit.
  ['make a video smaller than 10mb', 'target-size'],
  ['compress to 8MB', 'target-size'],
  ['split the video and audio', 'separate-tracks'],
  ['turn this into an animated gif', 'gif'],
  ['GIF under a size in MB', 'gif'],
  ['gif below 2 MB', 'gif'],
  ['my video is upside down', 'rotate'],
  ['take the audio out as mp3', 'mp3'],
  ['the sound is too quiet', 'loudness'],
  ['get rid of the pauses', 'remove-silence'],
  ['cut the pauses out of my video', 'video-remove-silence'],
  ['jump cuts', 'video-remove-silence'],
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
  // Who does not ask for a copy means the times that were given, and not those of key frames.
  ['cut a part', 'trim'],
  ['cut a part without re-encoding', 'cut-without-encoding'],
  ['cut a part lossless', 'cut-without-encoding'],
  ['transcribe a meeting', 'captions-from-speech'],
  // Forms of one word.
  ['transcribing voice memos', 'captions-from-speech'],
  ['muting a video', 'remove-audio'],
  // The speech becomes text.
  ['transcribe', 'captions-from-speech'],
  ['transcribe this interview', 'captions-from-speech'],
  ['generate subtitles from the speech', 'captions-from-speech'],
  ['generate captions', 'captions-from-speech'],
  ['auto-generate subtitles', 'captions-from-speech'],
  ['automatic captions', 'captions-from-speech'],
  ['generate captions automatically', 'captions-from-speech'],
  ['speech to subtitles', 'captions-from-speech'],
  ['subtitles from speech', 'captions-from-speech'],
  ['speech to text', 'captions-from-speech'],
  ['write down what is said in this video', 'captions-from-speech'],
  ['sound waves of a track', 'waveform'],
  ['10mb version of this clip', 'target-size'],
  // What is replaced is not what is wanted.
  ['swap the soundtrack of the school play for the clean recording', 'replace-audio'],
  ['lighter replacement for a gif on our page', 'animated-webp'],
  // The first noun is the result.
  ['picture of the sound wave of my podcast episode', 'waveform'],
  ['one image with sixteen moments of the clip', 'contact-sheet'],
  // A noun that is also an adverb.
  ['grab a nice still at 12 seconds to show before the player starts', 'poster'],
  ['my clip is still too large to send', 'target-size'],
  ['repair a damaged video', 'repair'],
  ['find what is wrong with a broken file', 'repair'],
  ['check a file for errors', 'repair'],
  ['my recording freezes in the middle', 'repair'],
])('"%s" finds %s', async (words, name) => {
  expect(await first(words)).toBe(name);
});

/** How many recipes the workbench shows at first. */
const SHOWN = 6;

test.each([
  ['words in the picture', 'burn-subtitles'],
  ['words in the picture', 'text-overlay'],
  ['words burned into the picture', 'burn-subtitles'],
  ['words drawn into the picture', 'burn-subtitles'],
  ['subtitles in the picture', 'burn-subtitles'],
  ['subtitles in the video', 'burn-subtitles'],
  ['captions burned in', 'burn-subtitles'],
  ['burned-in captions', 'burn-subtitles'],
  ['burnt in subs', 'burn-subtitles'],
  ['hardcode', 'burn-subtitles'],
  ['hardcoding subs', 'burn-subtitles'],
])('"%s" shows %s among the first', async (words, name) => {
  const { recipes } = await search(BUILT_IN, words);
  expect(recipes.slice(0, SHOWN).map((one) => one.name)).toContain(name);
});

test.each(sampled(EVERYDAY_PHRASES, 3))('"%s" finds %s, and says that it is close', async (words, name) => {
  expect(name.split(' or ')).toContain(await first(words));
  expect((await search(BUILT_IN, words)).isClose).toBe(true);
});

test.each(PEOPLE_PHRASES)('"%s" finds "%s", or nothing close', async (words, name) => {
  const { recipes, isClose } = await search(BUILT_IN, words);
  const found = isClose && notOffered(words) === undefined ? recipes[0]?.name : '';
  expect(name.split(' or ')).toContain(found);
});

test.each(sampled(MODEL_SENTENCES, 3))('"%s" names %s', async (words, name) => {
  const { recipes, near } = await search(BUILT_IN, words);
  const meant = recipes.slice(0, 2).findIndex((one) => name.split(' or ').includes(one.name));
  expect(meant).toBeGreaterThanOrEqual(0);
  expect(meant).toBeLessThan(near);
  expect(notOffered(words)).toBeUndefined();
});

test.each([
  'translate the subtitles into French',
  'download a video from YouTube',
  'isolate the vocals of a song',
  'detect faces in the video',
  'upscale to 4K with AI',
  'delete the original file afterwards',
  'youtube downloader',
  'download a vimeo video',
  'split the stems',
])('"%s" is said not to be offered', (words) => {
  expect(notOffered(words)).toMatch(/^Telecine (?:does not|enlarges)|^No tool/);
});

test.each([
  'remove black at the start and the end',
  'trim the black frames at both ends',
  'cut black screen from the beginning of my video',
  'get rid of frozen pictures',
])('"%s" is done by a cut, which no recipe has', (words) => {
  expect(notOffered(words)).toContain('"remove": {"black"');
});

test.each([
  'slow motion for part of a video',
  'slow down a part of a film, the rest stays',
  'play seconds 8 to 10 at half speed, speed of the rest as it is',
  'speed up only a section',
])('"%s" is done by filters, which no recipe has', (words) => {
  expect(notOffered(words)).toContain('setpts=');
});

test.each(['MPEG-2', 'mpeg2 for an old dvd player', 'MPEG-2 DVD PAL letterbox', 'burn a dvd'])(
  '"%s" is done by an option, which no recipe has',
  (words) => {
    expect(notOffered(words)).toContain('"target": "pal-dvd"');
  },
);

test.each([
  'slow motion',
  'slow down the whole video, only picture',
  'fast start for the web',
  'dvd chapters as files',
  'remove black bars',
  'cut away the black edges',
  'remove the black at the top and bottom',
  'cut off black at the sides',
  'cut and fade to black at the end',
  'cut video, fade from black at start',
  'make it black and white',
  'cut out a still from the film',
  'make the subtitles yellow',
  'make subtitles larger',
  'create subtitles track in mp4',
  'burn in the translation as subtitles',
  'video for download on vimeo',
  'mix stems together',
  'add a speech to the film',
])('"%s" is offered', (words) => {
  expect(notOffered(words)).toBeUndefined();
});

test('no everyday phrase for a recipe is said not to be offered', () => {
  expect(EVERYDAY_PHRASES.filter(([words]) => notOffered(words) !== undefined)).toEqual([]);
});

test.each([
  ['GIF under a size in MB', 'join-without-encoding'],
  ['put a logo watermark in the corner', 'crop'],
  ['contact sheet with times', 'trim'],
  ['slideshow of photos with music', 'pictures-to-video'],
])('of "%s", %s is not related', async (words, other) => {
  const { recipes, related } = await search(BUILT_IN, words);
  expect(recipes.slice(0, related).map(({ name }) => name)).not.toContain(other);
});

test('words that no recipe has find nothing', async () => {
  expect(await search(BUILT_IN, 'xyzzy qwfp')).toEqual({ recipes: [], isClose: false, near: 0, related: 0 });
});

test.each([
  'burn a dvd',
  'translate the speech into spanish',
  'write an email to my boss',
  'transcode an ebook to epub',
])('nothing is close to "%s"', async (words) => {
  expect((await search(BUILT_IN, words)).isClose).toBe(false);
});

test('others have their turn while many long recipes are indexed', async () => {
  const [one] = BUILT_IN;
  if (one === undefined) throw new Error('There are no recipes.');
  const many = Array.from({ length: 100 }, (_, index) => ({ ...one, name: `own-${index}` }));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const found = await recipeSearch()(many, one.title);
  clearImmediate(next);
  expect(found.recipes).toHaveLength(100);
  expect(turns).toBeGreaterThan(20);
});

test('others have their turn after each word of a query, and a word of thousands may have one wrong letter', {
  tags: 'long',
}, async () => {
  const [one] = BUILT_IN;
  if (one === undefined) throw new Error('There are no recipes.');
  const wordOf = (index: number): string => `w${(index * 7919).toString(36).padStart(6, 'q')}`;
  const many = Array.from({ length: 100 }, (_, index) => ({
    ...one,
    name: `own-${index}`,
    words: Array.from({ length: 120 }, (__, at) => wordOf(index * 120 + at)),
  }));
  const searchMany = recipeSearch();
  const found = await searchMany(many, wordOf(777).replace('q', 'x'));
  expect(found.recipes[0]?.name).toBe('own-6');
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await searchMany(many, Array.from({ length: 20 }, (_, index) => `unknown${index}`).join(' '));
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(19);
});
