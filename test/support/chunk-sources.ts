import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpegIn } from './run-chunks.ts';

/** Makes a source in the folder. Returns its name. */
export type MakeSource = (dir: string) => Promise<string>;

const QUIET = ['-nostdin', '-v', 'error', '-y'];
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-bf', '2'];
const AAC = ['-c:a', 'aac', '-b:a', '64k'];

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** Films that are made from a moving test image and a tone, small and short. */
const film =
  (
    name: string,
    {
      rate = '24',
      seconds = 7,
      filters = '',
      video = '-g 24',
      audio = 'sine=440',
      audioArgs = AAC,
      before = '',
      more = '',
      codec = X264,
      size = '128x72',
    }: {
      readonly rate?: string;
      readonly seconds?: number;
      readonly filters?: string;
      readonly video?: string;
      readonly audio?: string | undefined;
      readonly audioArgs?: readonly string[];
      readonly before?: string;
      readonly more?: string;
      readonly codec?: readonly string[];
      readonly size?: string;
    } = {},
  ): MakeSource =>
  async (dir) => {
    const graph = `testsrc2=s=${size}:r=${rate}:d=${seconds}${filters === '' ? '' : `,${filters}`}`;
    await ffmpegIn(dir, [
      ...QUIET,
      ...['-f', 'lavfi', '-i', graph],
      ...(audio === '' ? [] : [...words(before), '-f', 'lavfi', '-t', `${seconds}`, '-i', audio]),
      ...[...codec, ...words(video), ...(audio === '' ? [] : audioArgs), ...words(more), `in/${name}`],
    ]);
    return name;
  };

/** A film that is changed by a second run of ffmpeg: stream copies with other options. */
const copied =
  (
    make: MakeSource,
    name: string,
    before: string,
    more: string,
    texts: Readonly<Record<string, string>> = {},
  ): MakeSource =>
  async (dir) => {
    const source = await make(dir);
    for (const [file, text] of Object.entries(texts)) await writeFile(join(dir, file), text);
    await ffmpegIn(dir, [...QUIET, ...words(before), '-i', `in/${source}`, ...words(more), '-c', 'copy', `in/${name}`]);
    return name;
  };

const PLAIN = film('plain.mp4', {});
const IRREGULAR = "select='not(between(mod(n\\,24)\\,5\\,7)+eq(mod(n\\,17)\\,3)*between(t\\,3\\,4))'";
const VARIABLE_BETWEEN = film('variable-between.mkv', {
  filters: "select='not(between(mod(n\\,24)\\,11\\,13)+eq(mod(n\\,48)\\,33))'",
  video: '-g 24 -fps_mode vfr',
});
const SUBTITLES = [
  ...['1', '00:00:00,500 --> 00:00:02,100', 'One', ''],
  ...['2', '00:00:02,300 --> 00:00:04,900', 'Two, across a cut', ''],
  ...['3', '00:00:05,000 --> 00:00:06,000', 'Three', '', ''],
].join('\n');
const CHAPTERS = [
  ...[';FFMETADATA1', 'title=A film', 'artist=Nobody', 'comment=With a=b; c'],
  ...['[CHAPTER]', 'TIMEBASE=1/1000', 'START=0', 'END=2500', 'title=First'],
  ...['[CHAPTER]', 'TIMEBASE=1/1000', 'START=2500', 'END=7000', 'title=Second', ''],
].join('\n');

const WITH_CHAPTERS = copied(PLAIN, 'chapters.mkv', '-i in/c.txt', '-map 1 -map_metadata 0 -map_chapters 0', {
  'in/c.txt': CHAPTERS,
});

/** A byte of a caption: seven bits and odd parity (CEA-608). */
const withParity = (byte: number): number => {
  const ones = byte.toString(2).replaceAll('0', '').length;
  return ones % 2 === 0 ? byte | 0x80 : byte;
};

/** A NAL unit of H.264 with two letters of a closed caption: user data of ATSC A/53 part 4. */
const captionUnit = (frame: number): Buffer => {
  const letters = [0x41 + (frame % 26), 0x61 + (Math.floor(frame / 26) % 26)].map(withParity);
  const data = [0xb5, 0x00, 0x31, ...Buffer.from('GA94'), 0x03, 0x41, 0xff, 0xfc, ...letters, 0xff];
  return Buffer.from([0, 0, 0, 1, 6, 4, data.length, ...data, 0x80]);
};

/** A film with a closed caption in each frame. No filter or muxer of ffmpeg makes them, so they are put between the frames. */
const captioned: MakeSource = async (dir) => {
  await ffmpegIn(dir, [
    ...[...QUIET, '-f', 'lavfi', '-i', 'testsrc2=s=128x72:r=24:d=7'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-bf', '0', '-g', '24', 'in/bare.h264'],
  ]);
  const bare = await readFile(join(dir, 'in/bare.h264'));
  const parts: Buffer[] = [];
  let [from, frames] = [0, 0];
  for (let at = bare.indexOf('000001', 0, 'hex'); at >= 0; at = bare.indexOf('000001', at + 3, 'hex')) {
    const kind = (bare[at + 3] ?? 0) & 0x1f;
    // The kinds of slices of a frame.
    if (kind !== 1 && kind !== 5) continue;
    parts.push(bare.subarray(from, at), captionUnit(frames));
    frames += 1;
    from = at;
  }
  await writeFile(join(dir, 'in/captions.h264'), Buffer.concat([...parts, bare.subarray(from)]));
  await ffmpegIn(dir, [
    ...[...QUIET, '-r', '24', '-i', 'in/captions.h264', '-f', 'lavfi', '-t', '7', '-i', 'sine=440'],
    ...['-c:v', 'copy', ...AAC, 'in/captions.mp4'],
  ]);
  return 'captions.mp4';
};

export const SOURCES = {
  plain: PLAIN,
  ntsc: film('ntsc.mp4', { rate: '30000/1001', video: '-g 45' }),
  cinema: film('cinema.mkv', { rate: '24000/1001', video: '-g 30' }),
  'ntsc in mkv': film('ntsc.mkv', { rate: '30000/1001', video: '-g 30' }),
  fast: film('fast.mp4', { rate: '60000/1001', video: '-g 60' }),
  'very fast': film('120.mp4', { rate: '120', seconds: 6, video: '-g 60' }),
  slow: film('slow.mp4', { rate: '25/2', video: '-g 25' }),
  pal: film('pal.mov', { rate: '25', audioArgs: ['-c:a', 'pcm_s16le'] }),
  'variable in mkv': film('variable.mkv', { filters: IRREGULAR, video: '-g 24 -fps_mode vfr' }),
  'variable in mp4': film('variable.mp4', { filters: IRREGULAR, video: '-g 24 -fps_mode vfr' }),
  'variable between key frames': VARIABLE_BETWEEN,
  'variable, late start': copied(VARIABLE_BETWEEN, 'late.mkv', '', '-output_ts_offset 5.3'),
  'two rates': film('two.mkv', {
    rate: '50',
    filters: "select='gt(t\\,3.4)+not(mod(n\\,2))'",
    video: '-g 50 -fps_mode vfr',
  }),
  'open GOP': film('open.mp4', { video: '-g 24 -x264-params open-gop=1:bframes=3:b-adapt=0:scenecut=0' }),
  'B-pyramid': film('pyramid.mkv', { video: '-g 48 -bf 5 -x264-params b-pyramid=normal:b-adapt=0:ref=4' }),
  'long GOP': film('long.mp4', { video: '-g 600' }),
  intra: film('intra.mp4', { video: '-g 1 -bf 0' }),
  'edit list': copied(film('uncut.mp4', { seconds: 9 }), 'edited.mp4', '-ss 1.3', ''),
  'edit list, no B-frames': copied(
    film('uncut.mp4', { seconds: 9, video: '-g 24 -bf 0' }),
    'edited.mp4',
    '-ss 1.3',
    '',
  ),
  'late start in mkv': copied(PLAIN, 'late.mkv', '', '-output_ts_offset 5.3'),
  'late start without audio': copied(film('silent.mkv', { audio: '' }), 'late.mkv', '', '-output_ts_offset 5.3'),
  'late start in mp4': copied(PLAIN, 'late.mp4', '', '-output_ts_offset 3'),
  'start after hours': copied(film('ntsc.mp4', { rate: '30000/1001' }), 'hours.mkv', '', '-output_ts_offset 10800.4'),
  'transport stream': film('plain.ts', {}),
  'transport stream, late audio': film('late-audio.ts', { before: '-itsoffset 0.3' }),
  'transport stream of MPEG-2': film('dvb.ts', {
    rate: '25',
    codec: ['-c:v', 'mpeg2video', '-q:v', '4', '-bf', '2'],
    video: '-g 12',
    audioArgs: ['-c:a', 'mp2'],
  }),
  short: film('short.mp4', { seconds: 0.5 }),
  HDR10: film('hdr.mp4', {
    filters: 'format=yuv420p10le',
    codec: ['-c:v', 'libx265', '-preset', 'ultrafast'],
    video:
      '-g 24 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -tag:v hvc1 -x265-params ' +
      'log-level=none:hdr10=1:max-cll=1000,400:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)',
  }),
  'HDR10 in mkv': film('hdr.mkv', {
    filters: 'format=yuv420p10le',
    codec: ['-c:v', 'libx265', '-preset', 'ultrafast'],
    video:
      '-g 24 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -x265-params ' +
      'log-level=none:hdr10=1:max-cll=1000,400:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)',
  }),
  interlaced: film('interlaced.mp4', {
    rate: '50',
    filters: 'tinterlace=interleave_top,fieldorder=tff',
    video: '-g 24 -flags +ilme+ildct -x264-params tff=1',
  }),
  rotated: copied(PLAIN, 'rotated.mp4', '', '-metadata:s:v:0 rotate=90'),
  'long audio': film('audio.mp4', { more: '', audio: 'sine=440', filters: 'trim=end=5' }),
  'short audio': film('video.mp4', { audio: 'sine=440,atrim=end=4' }),
  'late audio': film('late-audio.mp4', { before: '-itsoffset 0.7' }),
  'late audio in mkv': film('late-audio.mkv', { before: '-itsoffset 0.7' }),
  'early audio': film('early-audio.mp4', { filters: 'setpts=PTS+0.6/TB' }),
  'early audio in mkv': film('early-audio.mkv', { filters: 'setpts=PTS+0.6/TB' }),
  silent: film('silent.mp4', { audio: '' }),
  '8 channels': film('surround.mkv', {
    audio: 'aevalsrc=sin(440*t)|sin(450*t)|sin(460*t)|0|0.1|0.2|sin(300*t)|0:c=7.1',
    audioArgs: ['-c:a', 'flac'],
  }),
  'two languages': copied(
    PLAIN,
    'languages.mkv',
    '',
    '-map 0:v -map 0:a -map 0:a -metadata:s:v:0 title=Picture -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -disposition:a:1 default',
  ),
  subtitles: copied(PLAIN, 'subtitles.mkv', '-i in/s.srt', '-map 1 -map 0', { 'in/s.srt': SUBTITLES }),
  chapters: copied(PLAIN, 'chapters.mp4', '-i in/c.txt', '-map 1 -map_metadata 0 -map_chapters 0', {
    'in/c.txt': CHAPTERS,
  }),
  'chapters in mkv': WITH_CHAPTERS,
  'chapters, late start': copied(WITH_CHAPTERS, 'late.mkv', '', '-output_ts_offset 1.3'),
  timecode: film('timecode.mov', { rate: '25', more: '-timecode 10:00:00:00' }),
  'closed captions': captioned,
  attachment: copied(PLAIN, 'font.mkv', '', '-attach in/f.ttf -metadata:s:t:0 mimetype=font/ttf', {
    'in/f.ttf': 'a font',
  }),
  VP9: film('vp9.webm', {
    codec: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '0', '-crf', '30'],
    audioArgs: ['-c:a', 'libopus'],
  }),
  AV1: film('av1.mkv', { codec: ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '40'], audioArgs: ['-c:a', 'libopus'] }),
  'ten bits': film('ten.mkv', { filters: 'format=yuv422p10le' }),
  anamorphic: film('anamorphic.mp4', { filters: 'setsar=64/45' }),
  'odd size': film('odd.mkv', { size: '127x71', filters: 'format=yuv444p' }),
  'late frame': film('late-frame.mkv', { filters: "select='not(between(t\\,2\\,4))'", video: '-g 24 -fps_mode vfr' }),
  scenes: film('scenes.mp4', {
    seconds: 12,
    filters: "noise=alls=20:allf=t:enable='between(t\\,3\\,7)'",
    size: '640x360',
  }),
  'long scenes': film('long-scenes.mp4', {
    seconds: 125,
    filters: "noise=alls=12:allf=t:enable='between(mod(t\\,19)\\,4\\,9)',gblur=sigma=2:enable='lt(mod(t\\,31)\\,12)'",
    video: '-g 48',
    size: '160x90',
  }),
  moving: film('moving.mp4', { seconds: 8, filters: 'noise=alls=30:allf=t', size: '192x108' }),
  avi: film('film.avi', { codec: ['-c:v', 'mpeg4', '-q:v', '4'] }),
} as const satisfies Readonly<Record<string, MakeSource>>;

export type SourceName = keyof typeof SOURCES;
