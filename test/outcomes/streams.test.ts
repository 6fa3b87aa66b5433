import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { makeMedia, showMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<unknown> | undefined;

const CUE = '1\n00:00:00,200 --> 00:00:01,500\nGuten Tag\n';

/** "film.mkv": a video, two sounds of which the second is the default, two text subtitles. "pictures.mkv": subtitles as images. */
async function makeFiles(root: string): Promise<void> {
  const make = (...args: readonly string[]) => makeMedia(root, ...args);
  await writeFile(join(root, 'de.srt'), CUE);
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=2'];
  const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await make(
    ...[...film, '-f', 'lavfi', '-i', 'anoisesrc=d=2:r=48000,aformat=channel_layouts=5.1', '-f', 'lavfi'],
    ...[
      '-i',
      'sine=r=48000:d=2',
      '-i',
      'de.srt',
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-map',
      '3',
      '-map',
      '3',
      ...quick,
    ],
    ...['-c:a', 'aac', '-c:s:0', 'ass', '-c:s:1', 'srt', '-disposition:a:0', '0', '-disposition:a:1', 'default'],
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'],
    ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=deu', 'film.mkv'],
  );
  await make(...film, ...quick, 'plain.mkv');
  await writeFile(join(root, 'page.sup'), PGS);
  await make('-i', 'plain.mkv', '-i', 'page.sup', '-map', '0', '-map', '1', '-c', 'copy', 'pictures.mkv');
  await make(
    '-i',
    'pictures.mkv',
    '-i',
    'de.srt',
    '-map',
    '0',
    '-map',
    '1',
    '-c',
    'copy',
    '-c:s:1',
    'srt',
    'mixed.mkv',
  );
}

/** "book.m4b", "book.opus" and the video "marked.mp4": three chapters of 2 s, the first with a cover. */
async function makeBooks(root: string): Promise<void> {
  const make = (...args: readonly string[]) => makeMedia(root, ...args);
  const chapter = (number: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${number * 2000}\nEND=${number * 2000 + 2000}\ntitle=K${number}\n`;
  await writeFile(join(root, 'marks.txt'), `;FFMETADATA1\ntitle=Book\n${[0, 1, 2].map(chapter).join('')}`);
  const sound = ['-f', 'lavfi', '-i', 'sine=r=48000:d=6', '-i', 'marks.txt'];
  const marks = ['-map_metadata', '1', '-map_chapters', '1'];
  await make('-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=6', '-i', 'marks.txt', ...marks, 'marked.mp4');
  await make('-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', 'cover.jpg');
  await make(...sound, ...marks, '-map', '0', '-c:a', 'libopus', 'book.opus');
  await make(
    ...[...sound, '-i', 'cover.jpg', ...marks, '-map', '0', '-map', '2', '-c:a', 'aac', '-c:v', 'copy'],
    ...['-disposition:v', 'attached_pic', '-f', 'ipod', 'book.m4b'],
  );
}

/** One PGS subtitle of 8 x 8 pixels: a presentation, a window, a palette, an object and an end. */
const PGS = (() => {
  const segment = (type: number, body: readonly number[], pts = 90_000 / 5) => {
    const head = Buffer.alloc(13);
    head.write('PG');
    head.writeUInt32BE(pts, 2);
    head.writeUInt8(type, 10);
    head.writeUInt16BE(body.length, 11);
    return Buffer.concat([head, Buffer.from(body)]);
  };
  const rows = Array.from({ length: 8 }, () => [0x00, 0x88, 0x01, 0x00, 0x00]).flat();
  const size = rows.length + 4;
  const presentation = (objects: readonly number[]) => [0, 160, 0, 120, 0x10, 0, 0, 0x80, 0, 0, ...objects];
  return Buffer.concat([
    segment(0x16, presentation([1, 0, 0, 0, 0, 0, 8, 0, 8])),
    segment(0x17, [1, 0, 0, 8, 0, 8, 0, 8, 0, 8]),
    segment(0x14, [0, 0, 1, 235, 128, 128, 255]),
    segment(0x15, [0, 0, 0, 0xc0, 0, 0, size, 0, 8, 0, 8, ...rows]),
    segment(0x80, []),
    segment(0x16, presentation([0]), 90_000),
    segment(0x80, [], 90_000),
  ]);
})();

async function prepare() {
  const server = await start();
  const { mediaRoot } = server.server;
  media ??= Promise.all([makeFiles(mediaRoot), makeBooks(mediaRoot)]);
  await media;
  const convert = async (request: { readonly output: string; readonly [field: string]: unknown }) => {
    const job = await server.own.run(request);
    const file = join(mediaRoot, request.output);
    const { streams } = job.status === 'COMPLETED' ? await showMedia(file) : { streams: [] };
    const tracks = streams.map(({ codec_name: codec, tags }) => `${codec} ${tags?.['language'] ?? 'und'}`);
    return { job, messages: (job.warnings ?? []).map(({ message }) => message), file, streams, tracks };
  };
  return { ...server, convert };
}

beforeAll(async () => void (await prepare().catch(() => undefined)));

const KEPT: readonly (readonly [
  title: string,
  request: { readonly output: string; readonly preset: object },
  tracks: readonly string[],
])[] = [
  ['MP4', { output: 'a.mp4', preset: { name: 'web-h264' } }, ['h264 und', 'aac deu', 'mov_text eng', 'mov_text deu']],
  ['MKV', { output: 'a.mkv', preset: { name: 'compress' } }, ['h264 und', 'aac deu', 'ass eng', 'subrip deu']],
  ['WebM', { output: 'a.webm', preset: { name: 'web-vp9' } }, ['vp9 und', 'opus deu', 'webvtt eng', 'webvtt deu']],
];

const IN_MP4 = ['mov_text eng', 'mov_text deu'];
const IN_MKV = ['ass eng', 'subrip deu'];

test.for(KEPT)(
  'keeps the default audio and all text subtitles of a film: %s',
  async ([, request, tracks], { expect }) => {
    const { convert } = await prepare();
    const found = await convert({ input: 'film.mkv', ...request });
    expect(found.tracks).toEqual(tracks);
  },
);

test('keeps subtitles that are images in MKV, and says that MP4 holds none', async ({ expect }) => {
  const { convert } = await prepare();
  const mkv = await convert({ input: 'pictures.mkv', output: 'p.mkv', preset: { name: 'web-h264' } });
  expect(mkv.tracks.map((one) => one.split(' ')[0])).toEqual(['h264', 'hdmv_pgs_subtitle']);
  const mp4 = await convert({ input: 'pictures.mkv', output: 'p.mp4', preset: { name: 'web-h264' } });
  expect(mp4.messages).toEqual([expect.stringContaining('subtitles')]);
  const mixed = await convert({ input: 'mixed.mkv', output: 'm.mp4', preset: { name: 'change-container' } });
  expect(mixed.tracks.map((one) => one.split(' ')[0])).toEqual(['h264', 'mov_text']);
  expect(mixed.messages).toEqual([expect.stringContaining('only 1 of the subtitles of "mixed.mkv", which has 2')]);
});

test.for<readonly [output: string, preset: object, tracks: readonly string[]]>([
  ['cut.mp4', { name: 'cut-without-encoding', arguments: { start: 0.5 } }, ['aac eng', 'aac deu', ...IN_MP4]],
  ['cut.mkv', { name: 'cut-without-encoding', arguments: { start: 0.5 } }, ['aac eng', 'aac deu', ...IN_MKV]],
  ['fast.mp4', { name: 'fast-start' }, ['aac eng', 'aac deu', ...IN_MP4]],
  ['muted.mp4', { name: 'remove-audio' }, IN_MP4],
  ['clean.mp4', { name: 'remove-metadata' }, ['aac und', 'aac und', 'mov_text und', 'mov_text und']],
])('keeps all audio and subtitles that a copy may have: %s', async ([output, preset, tracks], { expect }) => {
  const { convert } = await prepare();
  const found = await convert({ input: 'film.mkv', output, preset });
  expect(found.tracks).toEqual(['h264 und', ...tracks]);
});

test('says that a conversion without a recipe leaves subtitles out', async ({ expect }) => {
  const { convert } = await prepare();
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast' };
  const { messages } = await convert({ input: 'film.mkv', output: 'plain.mp4', parameters });
  expect(messages.join(' ')).toContain('none of the subtitles of "film.mkv"');
});

test('adds subtitles beside those of the film', async ({ expect }) => {
  const { convert } = await prepare();
  const preset = { name: 'soft-subtitles', arguments: { language: 'fra' } };
  const { tracks } = await convert({ inputs: ['film.mkv', 'de.srt'], output: 'soft.mp4', preset });
  expect(tracks).toEqual(['h264 und', 'aac eng', 'aac deu', 'mov_text fra', 'mov_text eng', 'mov_text deu']);
});

test('names the audio that ffmpeg takes before it runs', async ({ expect }) => {
  const { own } = await prepare();
  const request = { input: 'film.mkv', output: 'b.mp4', parameters: { 'c:v': 'libx264', sn: '' } };
  const { body } = await own.request<{ warnings?: readonly { message: string }[] }>('/api/conversion?dryRun=true', {
    method: 'POST',
    body: request,
  });
  expect(body.warnings?.map(({ message }) => message).join(' ')).toContain(
    'only 1 of the audio streams of "film.mkv", which has 2 (eng, deu): 0:2',
  );
});

test('writes the language of subtitles as MOV knows it', async ({ expect }) => {
  const { convert } = await prepare();
  const preset = { name: 'soft-subtitles', arguments: { language: 'deu' } };
  const { tracks } = await convert({ inputs: ['plain.mkv', 'de.srt'], output: 'soft.mov', preset });
  expect(tracks).toEqual(['h264 und', 'mov_text ger']);
});

test('cuts a chapter out of a book without its other chapters, and as long as it is', async ({ expect }) => {
  const { convert } = await prepare();
  const preset = { name: 'cut-without-encoding', arguments: { start: 2, end: 4 } };
  const { file, streams } = await convert({ input: 'book.m4b', output: 'k1.m4a', preset });
  const { chapters, format } = await showMedia(file);
  expect(chapters).toEqual([]);
  expect(Number(format.duration)).toBeCloseTo(2, 1);
  expect(Number(streams[0]?.start_time)).toBeCloseTo(0, 1);
});

test.for<readonly [what: string, request: object, seconds: number]>([
  ['a part', { inputs: [{ input: 'film.mkv', parameters: { ss: '0.8', t: '0.6' } }] }, 0.6],
  ['trim', { input: 'film.mkv', preset: { name: 'trim', arguments: { start: 0.8, end: 1.4 } } }, 0.6],
  ['speed', { input: 'film.mkv', preset: { name: 'speed', arguments: { factor: 2 } } }, 1],
  ['chapters', { inputs: [{ input: 'marked.mp4', parameters: { ss: '0.8', t: '0.6' } }], output: 'marks.mp4' }, 0.6],
])(
  'begins with the video and is as long as it, whatever the subtitles and chapters of the source are: %s',
  async (row, { expect }) => {
    const [what, request, seconds] = row;
    const { convert } = await prepare();
    const { file, streams } = await convert({ output: `cues-${what}.mkv`, ...request });
    expect(Number(streams[0]?.start_time)).toBeLessThan(0.1);
    expect(Math.abs(Number((await showMedia(file)).format.duration) - seconds)).toBeLessThan(0.15);
  },
);

test('says that an Ogg file with Vorbis has no chapters', async ({ expect }) => {
  const { convert } = await prepare();
  const { job } = await convert({ input: 'book.m4b', output: 'book.ogg', parameters: { vn: '' } });
  expect(job.warnings).toEqual([expect.objectContaining({ lost: 'chapters', expected: 3, actual: 0 })]);
});

test.for(['m4a', 'opus', 'ogg'])('splits an Opus file by its chapters: %s', async (extension, { expect }) => {
  const { own, server } = await prepare();
  const job = await own.run({
    input: 'book.opus',
    output: `${extension}/t%02d.${extension}`,
    preset: { name: 'split-chapters' },
  });
  expect(job.error?.message).toBeUndefined();
  const folder = join(server.mediaRoot, extension);
  const names = await readdir(folder);
  expect(names).toHaveLength(3);
  const { streams, format } = await showMedia(join(folder, `t02.${extension}`));
  expect(streams.map(({ codec_name: codec }) => codec)).toEqual([extension === 'm4a' ? 'aac' : 'opus']);
  expect(Number(format.duration)).toBeCloseTo(2, 1);
});
