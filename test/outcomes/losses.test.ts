// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { beforeAll } from 'vitest';
import type { WarningView } from '../../packages/contract/src/wire/warning.ts';
import { commonServer } from '../support/common-server.ts';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

/** What is lost of a source is told, in a warning that names it, and nothing is told of a conversion that loses nothing. */

const start = commonServer();
const test = needs('ffmpeg').concurrent;
let media: Promise<unknown> | undefined;

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=160x96:d=2:r=25'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=r=48000:d=2'];
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const HDR = '-c:v libx265 -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'.split(
  ' ',
);
/** What a screen needs to know of the light of an HDR video. x265 writes it into the frames alone. */
const LIGHT =
  'hdr10=1:max-cll=1000,400:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)';
const CHAPTERS = `;FFMETADATA1
title=Amsel
[CHAPTER]
TIMEBASE=1/1
START=0
END=1
title=one
[CHAPTER]
TIMEBASE=1/1
START=1
END=2
title=two
`;

/** An MP4 with one video, whose description says that it is Dolby Vision of profile 8. */
function withDolbyVision(file: Buffer): Buffer {
  const record = Buffer.concat([Buffer.from('\0\0\0 dvvC'), Buffer.from([1, 0, 0x10, 0x25, 0x10]), Buffer.alloc(19)]);
  let at = file.lastIndexOf('moov');
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
    at = file.indexOf(box, at);
    file.writeUInt32BE(file.readUInt32BE(at - 4) + record.length, at - 4);
  }
  const end = at - 4 + file.readUInt32BE(at - 4) - record.length;
  return Buffer.concat([file.subarray(0, end), record, file.subarray(end)]);
}

/** A photo whose metadata (XMP) says that it has more than its image. */
function asPhoto(jpeg: Buffer, mark: string): Buffer {
  const xmp = Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description ${mark}/></x:xmpmeta>`);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, xmp.length + 2]), xmp, jpeg.subarray(2)]);
}

async function makeSources(root: string): Promise<void> {
  const make = (...args: readonly string[]) => makeMedia(root, ...args);
  await writeFile(join(root, 'l-words.srt'), '1\n00:00:00,100 --> 00:00:01,000\nHello\n');
  await writeFile(join(root, 'l-chapters.txt'), CHAPTERS);
  await make('-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', 'l-cover.jpg');
  const image = await readFile(join(root, 'l-cover.jpg'));
  await writeFile(join(root, 'l-gain.jpg'), asPhoto(image, 'hdrgm:Version="1.0"'));
  await writeFile(join(root, 'l-moving.jpg'), asPhoto(image, 'GCamera:MotionPhoto="1"'));
  await make(...PICTURE, ...SOUND, ...X264, '-metadata', 'title=Amsel', 'l-film.mp4');
  const second = ['-i', 'l-film.mp4', ...SOUND, '-i', 'l-words.srt', '-i', 'l-chapters.txt'];
  const tracks = ['-map', '0', '-map', '1', '-map', '2', '-map_metadata', '3', '-c:v', 'copy', '-c:a', 'aac'];
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
  await make(...second, ...tracks, '-c:s', 'srt', ...languages, 'l-tracks.mkv');
  const cover = [
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'copy',
    '-disposition:v',
    'attached_pic',
    '-metadata',
    'title=Amsel',
  ];
  await Promise.all([
    make(...SOUND, '-i', 'l-cover.jpg', ...cover, 'l-song.mp3'),
    make(
      ...['-i', 'l-film.mp4', '-i', 'l-words.srt', '-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'srt'],
      ...['-attach', 'l-cover.jpg', '-metadata:s:t', 'mimetype=application/x-truetype-font', 'l-fonts.mkv'],
    ),
    make('-i', 'l-film.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'l-upright.mp4'),
    make(...PICTURE, ...X264, '-vf', 'setsar=2', 'l-wide.mp4'),
    make(...PICTURE, ...X264, '-vf', 'tinterlace=interleave_top', '-flags', '+ildct+ilme', 'l-fields.mp4'),
    make(...PICTURE, '-c:v', 'qtrle', '-pix_fmt', 'argb', 'l-alpha.mov'),
    make(...PICTURE, '-c:v', 'libx264', '-pix_fmt', 'yuv444p', 'l-full.mp4'),
    make(...PICTURE, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', 'l-vp9.webm'),
    make(...PICTURE, '-c:v', 'mpeg4', 'l-mpeg4.mp4'),
    make('-i', 'l-film.mp4', ...SOUND, '-map', '0', '-map', '1', '-c', 'copy', '-c:a:1', 'libvorbis', 'l-vorbis.mkv'),
    make('-f', 'lavfi', '-i', 'aevalsrc=0.1*sin(440*t*6.28)|0|0|0|0|0:c=5.1:d=2:s=48000', 'l-six.wav'),
    make(...SOUND, '-c:a', 'pcm_s24le', 'l-deep.wav'),
    make(...SOUND, '-ar', '96000', '-c:a', 'pcm_s16le', 'l-fast.wav'),
    make(...PICTURE, '-f', 'lavfi', '-i', 'sine=d=6', ...X264, 'l-uneven.mp4'),
    make(...PICTURE, ...SOUND, ...X264, '-g', '25', 'l-keys.mp4'),
    make('-f', 'lavfi', '-i', 'sine=d=8', 'l-long.wav'),
    make(...PICTURE, '-vf', 'scale=640:480,noise=alls=60:allf=t', ...X264, '-crf', '51', 'l-small.mp4'),
    make(...PICTURE, ...X264, '-pix_fmt', 'yuv420p10le', '-color_trc', 'smpte2084', 'l-hdr.mp4').then(async () =>
      writeFile(join(root, 'l-dolby.mp4'), withDolbyVision(await readFile(join(root, 'l-hdr.mp4')))),
    ),
    make(...PICTURE, ...HDR, '-x265-params', `log-level=error:${LIGHT}`, 'l-light.mkv'),
    make(...SOUND, '-metadata', 'title=Amsel', '-metadata', 'album=Wald', 'l-tagged.flac'),
  ]);
}

async function prepare() {
  const server = await start();
  media ??= makeSources(server.server.mediaRoot);
  await media;
  return server;
}
beforeAll(async () => void (await prepare().catch(() => undefined)), 120_000);

type Request = Readonly<Record<string, unknown>>;

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' };

const LOSSES: readonly (readonly [lost: string, request: Request])[] = [
  ['subtitles', { input: 'l-tracks.mkv', output: 'a.mp4', parameters: QUICK }],
  ['audio', { input: 'l-tracks.mkv', output: 'b.mp4', parameters: { ...QUICK, sn: '' } }],
  ['audio', { input: 'l-tracks.mkv', output: 'c.mp4', preset: { name: 'web-h264' } }],
  [
    'audio',
    { input: 'l-film.mp4', output: 'd.mp4', parameters: { ...QUICK, filter_complex: '[0:v]hflip[v]', map: '[v]' } },
  ],
  ['subtitles', { input: 'l-tracks.mkv', output: 'e.ts', preset: { name: 'change-container' } }],
  ['chapters', { input: 'l-tracks.mkv', output: 'f.wav' }],
  ['chapters', { input: 'l-tracks.mkv', output: 'g.ts', parameters: QUICK }],
  ['cover', { input: 'l-song.mp3', output: 'h.wav', preset: { name: 'wav' } }],
  ['cover', { input: 'l-song.mp3', output: 'i.opus', preset: { name: 'opus' } }],
  ['cover', { input: 'l-song.mp3', output: 'j.wav' }],
  ['cover', { input: 'l-song.mp3', output: 'j.mkv', parameters: { map: '0', c: 'copy' } }],
  ['tags', { input: 'l-tagged.flac', output: 'k.aac' }],
  ['tags', { input: 'l-tagged.flac', output: 'l.ac3' }],
  ['rotation', { input: 'l-upright.mp4', output: 'm.avi', parameters: { c: 'copy' } }],
  ['rotation', { input: 'l-upright.mp4', output: 'n.ts', parameters: { c: 'copy' } }],
  ['shape of the pixels', { input: 'l-wide.mp4', output: 'o.mp4', parameters: { ...QUICK, s: '320x320' } }],
  ['whole frames', { input: 'l-fields.mp4', output: 'p.mp4', parameters: QUICK }],
  ['transparency', { input: 'l-alpha.mov', output: 'q.mp4', parameters: { 'c:v': 'libx264' } }],
  [
    'usual pixel format',
    { input: 'l-full.mp4', output: 'r.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } },
  ],
  ['video', { input: 'l-vp9.webm', output: 's.ts', parameters: { c: 'copy' } }],
  ['video', { input: 'l-mpeg4.mp4', output: 'ee.ts', parameters: { c: 'copy' } }],
  ['audio', { input: 'l-vorbis.mkv', output: 'ff.ts', parameters: { c: 'copy', map: '0' } }],
  ['chapters', { input: 'l-tracks.mkv', output: 'gg.flac', parameters: { vn: '' } }],
  ['tags', { input: 'l-tracks.mkv', output: 'hh.mov', preset: { name: 'change-container' } }],
  ['channels', { input: 'l-six.wav', output: 't.mp3' }],
  [
    'usual channel layout',
    { input: 'l-six.wav', output: 't.m4a', parameters: { af: 'aformat=channel_layouts=5.1(side)' } },
  ],
  ['bits', { input: 'l-deep.wav', output: 'u.wav' }],
  ['sample rate', { input: 'l-fast.wav', output: 'v.mp3' }],
  [
    'picture at the end',
    { inputs: ['l-film.mp4', 'l-long.wav'], output: 'w.mp4', parameters: { ...QUICK, map: ['0:v', '1:a'] } },
  ],
  ['sound at the end', { input: 'l-film.mp4', output: 'x.mp4', parameters: { ...QUICK, vf: 'setpts=2*PTS' } }],
  ['sound at the end', { input: 'l-film.mp4', output: 'x2.mkv', parameters: { ...QUICK, vf: 'setpts=2*PTS' } }],
  ['HDR10 metadata', { input: 'l-light.mkv', output: 'light.mkv', parameters: { 'c:v': 'ffv1' } }],
  ['Dolby Vision', { input: 'l-dolby.mp4', output: 'dolby.mp4', parameters: { c: 'copy' } }],
  [
    'Dolby Vision',
    { input: 'l-dolby.mp4', output: 'dolby.mkv', parameters: { 'c:v': 'libx265', preset: 'ultrafast' } },
  ],
  ['Dolby Vision', { input: 'l-dolby.mp4', output: 'dolby.mov', preset: { name: 'change-container' } }],
  ['size of the file', { input: 'l-small.mp4', output: 'larger.mp4', preset: { name: 'compress' } }],
  ['size of the file', { input: 'l-small.mp4', output: 'larger.mkv' }],
  ['length', { input: 'l-film.mp4', output: 'y.mp4', parameters: { ...QUICK, t: '30' } }],
  ['length', { input: 'l-film.mp4', output: 'z.mp4', parameters: { ...QUICK, fs: '20k' } }],
  ['start of the video', { input: 'l-keys.mp4', output: 'aa.mp4', parameters: { c: 'copy', ss: '0.2' } }],
  [
    'times of the subtitles',
    {
      inputs: [{ input: 'l-film.mp4', parameters: { ss: '1' } }, 'l-words.srt'],
      output: 'bb.mp4',
      parameters: { ...QUICK, vf: 'subtitles=l-words.srt' },
    },
  ],
  ['gain map', { input: 'l-gain.jpg', output: 'gain.webp', preset: { name: 'resize-picture' } }],
  ['video', { input: 'l-moving.jpg', output: 'moving.png' }],
  ['attachments', { input: 'l-fonts.mkv', output: 'cc.mp4', parameters: { ...QUICK, 'c:s': 'mov_text' } }],
  ['length of the segments', { input: 'l-keys.mp4', output: 'dd.m3u8', parameters: { c: 'copy', hls_time: '0.5' } }],
];

test.for(LOSSES)('tells what is lost: %s of %j', async ([lost, request], { expect }) => {
  const { own } = await prepare();
  const job = await own.run({ ...request, output: `lost/${String(request['output'])}` } as never);
  expect({ status: job.status, error: job.error }).toEqual({ status: 'COMPLETED', error: undefined });
  const told = (job.warnings ?? []) as readonly WarningView[];
  expect(told.map((one) => one.lost)).toContain(lost);
  const found = told.find((one) => one.lost === lost);
  expect(found).toMatchObject({ expected: expect.anything(), actual: expect.anything(), fix: expect.any(String) });
});

const VIDEOS = ['mp4', 'mkv', 'mov', 'webm', 'avi', 'ts'];
const SOUNDS = ['mp3', 'm4a', 'wav', 'flac', 'opus', 'ogg'];

const PLAIN: readonly Request[] = [
  ...VIDEOS.flatMap((type): Request[] => [
    { input: 'l-keys.mp4', output: `plain.${type}` },
    { input: 'l-keys.mp4', output: `small.${type}`, parameters: { s: '80x48' } },
    { input: 'l-keys.mp4', output: `part.${type}`, parameters: { ss: '0.5', t: '1' } },
    { input: 'l-keys.mp4', output: `slow.${type}`, parameters: { r: '10' } },
  ]),
  ...['mp4', 'mkv', 'mov', 'ts'].map((type) => ({
    input: 'l-keys.mp4',
    output: `copy.${type}`,
    parameters: { c: 'copy' },
  })),
  ...SOUNDS.flatMap((type): Request[] => [
    { input: 'l-keys.mp4', output: `sound.${type}` },
    { input: 'l-long.wav', output: `of-wav.${type}`, parameters: { t: '1' } },
    { input: 'l-long.wav', output: `quiet.${type}`, parameters: { af: 'volume=0.5', ac: '1' } },
  ]),
  ...['mp3', 'm4a', 'flac'].map((type) => ({ input: 'l-song.mp3', output: `song.${type}`, preset: { name: type } })),
  ...['poster', 'gif', 'contact-sheet'].map((name) => ({
    ...{ input: 'l-keys.mp4', output: `${name}.${name === 'gif' ? 'gif' : 'jpg'}`, preset: { name } },
  })),
  ...['compress', 'web-h264', 'mute', 'remove-audio', 'loudness', 'trim'].flatMap((name): Request[] =>
    name === 'mute' || name === 'loudness'
      ? []
      : [
          {
            input: 'l-keys.mp4',
            output: `by-${name}.mp4`,
            preset: { name, ...(name === 'trim' && { arguments: { start: 0.5, end: 1.5 } }) },
          },
        ],
  ),
  { input: 'l-cover.jpg', output: 'cover.png' },
  { input: 'l-upright.mp4', output: 'upright.mp4', parameters: QUICK },
  { input: 'l-upright.mp4', output: 'upright-copy.mov', parameters: { c: 'copy' } },
  { input: 'l-wide.mp4', output: 'wide.mp4', parameters: QUICK },
  { input: 'l-tracks.mkv', output: 'all.mkv', parameters: { map: '0', c: 'copy' } },
  { input: 'l-light.mkv', output: 'light.mp4', parameters: { c: 'copy' } },
  { input: 'l-light.mkv', output: 'light.mkv', parameters: { 'c:v': 'libx265', 'x265-params': LIGHT } },
  { input: 'l-hdr.mp4', output: 'unlit.mkv', parameters: { 'c:v': 'ffv1' } },
  { input: 'l-dolby.mp4', output: 'dolby.mkv', parameters: { c: 'copy' } },
  { input: 'l-dolby.mp4', output: 'dolby.mp4', parameters: { c: 'copy', strict: 'unofficial' } },
];

test('tells no loss of 60 plain conversions', { timeout: 240_000 }, async ({ expect }) => {
  expect(PLAIN.length).toBeGreaterThanOrEqual(60);
  const { own } = await prepare();
  const jobs = await Promise.all(
    PLAIN.map((request) => own.run({ ...request, output: `plain/${String(request['output'])}` } as never)),
  );
  const told = jobs.flatMap((job, index) => [
    ...(job.status === 'COMPLETED' ? [] : [{ request: PLAIN[index], error: job.error }]),
    ...((job.warnings ?? []) as readonly WarningView[])
      .filter((one) => one.lost !== undefined)
      .map(({ message }) => ({ request: PLAIN[index], message })),
  ]);
  expect(told).toEqual([]);
});

/** Requests that can run in chunks: those that encode a video of an input, as it is. */
const IN_CHUNKS = LOSSES.filter(
  ([, { input, output, parameters = {} }]) =>
    typeof input === 'string' && 'c:v' in (parameters as object) && /^(?:[abdopr]|cc)\./.test(String(output)),
);

test.for(IN_CHUNKS)('tells in chunks what is lost: %s of %j', async ([lost, request], { expect }) => {
  const { own, server } = await prepare();
  const { input, output, ...others } = request;
  const long = `long-${output}${extname(String(input))}`;
  // Each repetition begins with a key frame.
  await makeMedia(server.mediaRoot, '-stream_loop', '2', '-i', String(input), '-map', '0', '-c', 'copy', long);
  const job = await own.run({ ...others, input: long, output: `chunks/${output}`, chunks: { seconds: 2 } } as never);
  expect({ status: job.status, error: job.error }).toEqual({ status: 'COMPLETED', error: undefined });
  const told = (job.warnings ?? []) as readonly WarningView[];
  expect(told.map((one) => one.lost ?? one.message)).toContain(lost);
  expect(told.map(({ code }) => code)).not.toContain('NOT_CHUNKED');
});
