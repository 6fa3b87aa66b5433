import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { makeMedia, showMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<unknown> | undefined;

/** "song.mp3" with a title and a cover, "song.opus" and "flac.ogg" with a title, "film.mp4" with a picture that moves. */
async function makeFiles(root: string): Promise<void> {
  const make = (...args: readonly string[]) => makeMedia(root, ...args);
  const tags = ['-metadata', 'title=Amsel', '-metadata', 'artist=Vogel', '-metadata', 'album=Wald'];
  await make('-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', 'cover.jpg');
  await Promise.all([
    make(
      ...['-f', 'lavfi', '-i', 'sine=r=44100:d=4', '-i', 'cover.jpg', '-map', '0', '-map', '1', '-c:v', 'copy'],
      ...['-disposition:v', 'attached_pic', ...tags, 'song.mp3'],
    ),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=4', ...tags, '-metadata:s:a', 'language=deu', 'song.opus'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=4', '-c:a', 'flac', ...tags, 'flac.ogg'),
    make('-f', 'lavfi', '-i', 'sine=r=48000:d=1', '-metadata:s:a', 'language=en', 'short-code.mka'),
    make('-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=2', '-f', 'lavfi', '-i', 'sine=d=2', ...tags, 'film.mp4'),
  ]);
}

async function prepare() {
  const server = await start();
  const { mediaRoot } = server.server;
  media ??= makeFiles(mediaRoot);
  await media;
  const convert = async (request: { readonly output: string; readonly [field: string]: unknown }) => {
    const job = await server.own.run(request);
    if (job.status !== 'COMPLETED') throw new Error(JSON.stringify(job.error));
    const { streams, format } = await showMedia(join(mediaRoot, request.output));
    const covers = streams.filter(({ disposition }) => disposition['attached_pic'] === 1);
    const tags = { ...streams.find(({ codec_type: type }) => type === 'audio')?.tags, ...format.tags };
    const named = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]));
    const codecs = covers.map(({ codec_name: codec }) => codec);
    return { job, covers: codecs, tags: named, kinds: streams.map(({ codec_type: type }) => type) };
  };
  return { ...server, convert };
}

beforeAll(async () => void (await prepare().catch(() => undefined)));

const TAGS = { title: 'Amsel', artist: 'Vogel', album: 'Wald' };

const ALBUM: readonly (readonly [output: string, preset?: string])[] = [
  ['as.mp3', 'mp3'],
  ['as.m4a', 'm4a'],
  ['as.flac', 'flac'],
  ['loud.mp3', 'loudness'],
  ['loud.m4a', 'loudness'],
  ['clean.flac', 'clean-voice'],
  ['plain.m4a'],
  ['plain.mp3'],
];

test.for(ALBUM)('keeps the cover and the tags of a song: %s %s', async ([output, name], { expect }) => {
  const { convert } = await prepare();
  const { covers, tags } = await convert({
    input: 'song.mp3',
    output,
    ...(name !== undefined && { preset: { name } }),
  });
  expect(tags).toMatchObject(TAGS);
  expect(covers).toHaveLength(1);
  if (name !== undefined) expect(covers).toEqual(['mjpeg']);
});

const OTHERS: readonly (readonly [input: string, output: string, preset?: string])[] = [
  ['song.opus', 'o.mp3', 'mp3'],
  ['song.opus', 'o.m4a', 'm4a'],
  ['flac.ogg', 'o.flac', 'flac'],
  ['flac.ogg', 'o.wav', 'loudness'],
  ['song.opus', 'plain-o.mp3'],
  ['flac.ogg', 'plain-o.m4a'],
  ['song.opus', 'same.opus', 'opus'],
];

test.for(OTHERS)('keeps the tags of an Ogg file: %s to %s %s', async ([input, output, name], { expect }) => {
  const { convert } = await prepare();
  const { tags } = await convert({ input, output, ...(name !== undefined && { preset: { name } }) });
  // WAV has no album.
  expect(tags).toMatchObject(output.endsWith('.wav') ? { title: 'Amsel', artist: 'Vogel' } : TAGS);
});

test.for(['audiogram', 'm4a', undefined])('keeps the language of an Ogg file: %s', async (name, { expect }) => {
  const { convert } = await prepare();
  const output = `language-${name}.${name === 'audiogram' ? 'mp4' : 'm4a'}`;
  const { tags } = await convert({ input: 'song.opus', output, ...(name !== undefined && { preset: { name } }) });
  expect(tags['language']).toBe('deu');
});

test('says that a language of two letters is lost in MP4', async ({ expect }) => {
  const { convert } = await prepare();
  const { job } = await convert({ input: 'short-code.mka', output: 'short-code.m4a', preset: { name: 'm4a' } });
  expect(job.warnings).toMatchObject([{ code: 'TAGS_LOST', expected: 'the language en' }]);
});

test('says that a format without tags loses those of an Ogg file', async ({ expect }) => {
  const { convert } = await prepare();
  const { job } = await convert({ input: 'song.opus', output: 'none.aac' });
  const lost = { code: 'TAGS_LOST', lost: 'tags', expected: 'title, artist, album' };
  expect(job.warnings).toMatchObject([lost]);
});

test('says that a format holds no cover', async ({ expect }) => {
  const { convert } = await prepare();
  const { job } = await convert({ input: 'song.mp3', output: 'none.wav', preset: { name: 'wav' } });
  expect(job.warnings?.map(({ message }) => message)).toEqual([expect.stringContaining('lacks the cover')]);
});

test('takes no moving picture for a cover', async ({ expect }) => {
  const { convert } = await prepare();
  expect((await convert({ input: 'film.mp4', output: 'film.m4a', preset: { name: 'm4a' } })).kinds).toEqual(['audio']);
});
