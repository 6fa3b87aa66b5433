import { describe, expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { INPUT_FORMATS } from '../../packages/ffmpeg/src/allowlist/input-formats.ts';
import { requestWith, validPlan } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';

const HEAD = '-nostdin -hide_banner -nostats -loglevel level+info -progress pipe:1 -stats_period 0.5';

/** Of sequences and films, only the verbose log tells that pictures have different sizes. */
const headOf = (rest: string): string =>
  /%06d|file:in\/\d+\.(?:mkv|mp4|mov|avi|ts|gif|h264)/.test(rest) ? HEAD.replace('info', 'verbose') : HEAD;
/** The arguments before every input file. */
const I = `-protocol_whitelist file -format_whitelist ${INPUT_FORMATS} -i`;

const CANVAS =
  '[0:v:0]scale=w=max(2\\,2*trunc(iw*sar/2)):h=max(2\\,2*trunc(ih/2)),setsar=1,format=rgb24,lutrgb=r=0:g=0:b=0';
/** One picture of a slideshow, scaled and repeated. */
const slide = (i: number, frames: number, rate = 25): string =>
  `[${i}:v:0][r${i}]scale2ref=w=max(2\\,2*trunc(min(iw\\,ih*main_dar)/2)):h=max(2\\,2*trunc(min(ih\\,iw/main_dar)/2))[u${i}][c${i}];` +
  `[u${i}]setsar=1,format=rgba[s${i}];` +
  `[c${i}][s${i}]overlay=x=(W-w)/2:y=(H-h)/2:format=rgb,setsar=1,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,` +
  `setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709,settb=1/(${rate}),` +
  `loop=loop=-1:size=1,setpts=N,fps=${rate},trim=end_frame=${frames}[p${i}]`;
const END = (frames: number): string => `trim=end_frame=${frames}[v]`;

interface Row {
  readonly what: string;
  readonly request: ConversionRequest;
  /** One for each pass, without `HEAD`; words separated by single spaces. */
  readonly argv: readonly string[];
}

const rows: readonly Row[] = [
  {
    what: 'the example of the contract',
    request: {
      input: '/path/to/input.mp4',
      output: '/path/to/output.mp4',
      format: 'mp4',
      parameters: { 'c:v': 'libx264', 'b:v': '1M', 'c:a': 'aac' },
    },
    argv: [`${I} file:in/0.mp4 -c:v libx264 -b:v 1M -c:a aac -f mp4 file:out/output.mp4`],
  },
  {
    what: 'no options: the extension selects the container',
    request: { input: 'a.avi', output: 'b.MKV' },
    argv: [`${I} file:in/0.avi -f matroska file:out/b.MKV`],
  },
  {
    what: 'a limit of the size, which ffmpeg compares with what it has written to the file',
    request: { input: 'a.mp4', output: 'b.mp4', parameters: { c: 'copy', fs: '60k' } },
    argv: [`${I} file:in/0.mp4 -c copy -fs 60k -flush_packets 1 -f mp4 file:out/b.mp4`],
  },
  {
    what: 'a limit of the size with buffers that the client chose',
    request: { input: 'a.mp4', output: 'b.mp4', parameters: { c: 'copy', fs: '60k', flush_packets: '0' } },
    argv: [`${I} file:in/0.mp4 -c copy -fs 60k -flush_packets 0 -f mp4 file:out/b.mp4`],
  },
  {
    what: 'flags in all their spellings, without their values',
    request: { input: 'a.mp4', output: 'b.mp3', parameters: { vn: '', sn: 'true', dn: 'false', shortest: 'true' } },
    argv: [`${I} file:in/0.mp4 -vn -sn -shortest -f mp3 file:out/b.mp3`],
  },
  {
    what: 'the option "format" of an encoder, distinguished from the container by its specifier',
    request: { input: 'a.png', output: 'b.jp2', parameters: { 'c:v': 'jpeg2000', 'format:v': 'j2k' } },
    argv: [`${I} file:in/0.png -c:v jpeg2000 -format:v j2k -f image2 -update 1 file:out/b.jp2`],
  },
  {
    what: 'old names become names that every version has, in the order sent',
    request: {
      input: 'a.mp4',
      output: 'b.mp4',
      parameters: {
        vf: 'scale=64:48',
        af: 'volume=2',
        vcodec: 'libx264',
        'codec:a': 'aac',
        ab: '96k',
        vframes: '10',
        aq: '2',
        b: '1M',
        qscale: '3',
      },
    },
    argv: [
      `${I} file:in/0.mp4 -filter:v scale=w=64:h=48 -filter:a volume=volume=2 -c:v libx264 -c:a aac -b:a 96k -frames:v 10 -q:a 2 -b:v 1M -q:v 3 -f mp4 file:out/b.mp4`,
    ],
  },
  {
    what: 'input options go before every input; options of both sides go to the output',
    request: {
      inputs: ['a.mp4', 'b.mp4'],
      output: 'c.mp4',
      parameters: { itsoffset: '-1', ss: '5', t: '2', noautorotate: '' },
    },
    argv: [
      `-itsoffset -1 -noautorotate ${I} file:in/0.mp4 -itsoffset -1 -noautorotate ${I} file:in/1.mp4 -ss 5 -t 2 -f mp4 file:out/c.mp4`,
    ],
  },
  {
    what: 'an option of one input overrides the shared option',
    request: {
      inputs: [{ input: 'a.mp4', parameters: { ss: '1', itsoffset: '3' } }, 'b.wav'],
      output: 'c.mkv',
      parameters: { itsoffset: '2', map: ['0:v', '1:a'], c: 'copy' },
    },
    argv: [
      `-ss 1 -itsoffset 3 ${I} file:in/0.mp4 -itsoffset 2 ${I} file:in/1.wav -map 0:v -map 1:a -c copy -f matroska file:out/c.mkv`,
    ],
  },
  {
    what: 'loop belongs to the image demuxer for a video',
    request: { input: 'a.jpg', output: 'b.mp4', parameters: { loop: '1', t: '3' } },
    argv: [`-loop 1 ${I} file:in/0.jpg -t 3 -f mp4 file:out/b.mp4`],
  },
  {
    what: 'RGB is converted by the matrix of HD, behind the filters of the client',
    request: { input: 'a.png', output: 'b.mp4', parameters: { vf: 'hflip' } },
    argv: [
      `${I} file:in/0.png -filter:v hflip,scale@telecine=out_color_matrix=bt709:out_range=tv,setparams@telecine=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709 -f mp4 file:out/b.mp4`,
    ],
  },
  {
    what: 'a seek to the start of an input is left out',
    request: { inputs: [{ input: 'a.avi', parameters: { ss: '00:00:00.0', t: '3' } }], output: 'b.mp4' },
    argv: [`-t 3 ${I} file:in/0.avi -f mp4 file:out/b.mp4`],
  },
  {
    what: 'a part of a stream without a container is decoded from its start',
    request: { inputs: [{ input: 'a.h264', parameters: { ss: '5', t: '3' } }], output: 'b.mp4' },
    argv: [`${I} file:in/0.h264 -ss 5 -t 3 -f mp4 file:out/b.mp4`],
  },
  {
    what: 'an image of an animation is its first frame',
    request: { input: 'a.gif', output: 'b.jpg' },
    argv: [`${I} file:in/0.gif -frames:v 1 -f image2 -update 1 file:out/b.jpg`],
  },
  {
    what: 'loop belongs to the GIF muxer for a GIF',
    request: { input: 'a.mp4', output: 'b.gif', parameters: { loop: '0' } },
    argv: [`${I} file:in/0.mp4 -loop 0 -f gif file:out/b.gif`],
  },
  {
    what: 'a picture with a duration and sound is a slideshow of one picture',
    request: { inputs: [{ input: 'a.png', duration: '2.5' }, 'b.mp3'], output: 'c.mp4', parameters: { shortest: '' } },
    argv: [
      `${I} file:in/0.png ${I} file:in/1.mp3 -filter_complex ${CANVAS},split=1[r0];${slide(0, 63)};[p0]${END(63)} -map [v] -map 1:a:0 -shortest -t 2.52 -f mp4 file:out/c.mp4`,
    ],
  },
  {
    what: 'a slideshow with crossfades, with the size and frame rate that the client sends',
    request: {
      inputs: [
        { input: 'a.png', duration: '1' },
        { input: 'b.jpg', duration: '2' },
        { input: 'c.webp', duration: '1', crossfade: '0.5' },
      ],
      output: 'c.webm',
      parameters: { s: 'hd720', r: '10', 'c:v': 'libvpx-vp9' },
    },
    argv: [
      `${I} file:in/0.png ${I} file:in/1.jpg ${I} file:in/2.webp -filter_complex color=c=black:s=1280x720,trim=end_frame=1,format=rgb24,split=3[r0][r1][r2];${slide(0, 10, 10)};${slide(1, 20, 10)};${slide(2, 10, 10)};[p0][p1]concat=n=2[q0];[q0]settb=AVTB,fps=10[g0];[p2]settb=AVTB,fps=10[g1];[g0][g1]xfade=duration=0.5:offset=2.5[x1];[x1]trim=end_frame=35,format=yuv420p[v] -map [v] -s hd720 -r 10 -c:v libvpx-vp9 -t 3.5 -f webm file:out/c.webm`,
    ],
  },
  {
    what: 'with a map, a picture with a duration is a normal input',
    request: { inputs: [{ input: 'a.png', duration: '2' }, 'b.mp3'], output: 'c.mp4', parameters: { map: ['0', '1'] } },
    argv: [`-loop 1 -t 2 ${I} file:in/0.png ${I} file:in/1.mp3 -map 0 -map 1 -f mp4 file:out/c.mp4`],
  },
  {
    what: 'options of image demuxers do not go to the sound',
    request: { inputs: ['i%02d.png', 'b.mp3'], output: 'c.mp4', parameters: { framerate: '10', itsoffset: '1' } },
    argv: [`-framerate 10 -itsoffset 1 ${I} file:in/0/%06d.png -itsoffset 1 ${I} file:in/1.mp3 -f mp4 file:out/c.mp4`],
  },
  {
    what: 'an image sequence; its first number is for staging',
    request: { input: 'shots/img%03d.jpg', output: 'b.mp4', parameters: { framerate: '24', start_number: '10' } },
    argv: [`-framerate 24 ${I} file:in/0/%06d.jpg -f mp4 file:out/b.mp4`],
  },
  {
    what: 'pictures selected by wildcards',
    request: { input: 'shots/*.jpg', output: 'b.mp4', parameters: { pattern_type: 'glob', framerate: '5' } },
    argv: [`-framerate 5 ${I} file:in/0/%06d.jpg -f mp4 file:out/b.mp4`],
  },
  {
    what: 'raw audio with its demuxer',
    request: { inputs: [{ input: 'a.raw', parameters: { f: 's16le', ar: '8000', ac: '1' } }], output: 'b.flac' },
    argv: [`-ar 8000 -ac 1 -f s16le ${I} file:in/0.raw -f flac file:out/b.flac`],
  },
  {
    what: 'a target selects the container whatever the extension is',
    request: { input: 'a.mp4', output: 'b.mpg', parameters: { target: 'pal-dvd' } },
    argv: [`${I} file:in/0.mp4 -target pal-dvd -f dvd file:out/b.mpg`],
  },
  {
    what: 'one picture of a video',
    request: { input: 'a.mp4', output: 'b.jpg', parameters: { 'frames:v': '1' } },
    argv: [
      `${I} file:in/0.mp4 -filter:v scale@telecine=out_color_matrix=bt601 -frames:v 1 -f image2 -update 1 file:out/b.jpg`,
    ],
  },
  {
    what: 'a picture format that the extension does not imply',
    request: { input: 'a.mp4', output: 'thumb', format: 'PNG' },
    argv: [`${I} file:in/0.mp4 -c:v png -f image2 -update 1 file:out/thumb`],
  },
  {
    what: 'numbered pictures',
    request: { input: 'a.mp4', output: 'p/f%03d.jpg', parameters: { 'c:v': 'mjpeg' } },
    argv: [
      `${I} file:in/0.mp4 -filter:v scale@telecine=out_color_matrix=bt601 -c:v mjpeg -f image2 file:out/f%03d.jpg`,
    ],
  },
  {
    what: 'segments in the folder of their playlist',
    request: { input: 'a.mp4', output: 'x/b.m3u8', parameters: { hls_segment_filename: 's%03d.ts', hls_time: '4' } },
    argv: [`${I} file:in/0.mp4 -hls_segment_filename out/s%03d.ts -hls_time 4 -f hls file:out/b.m3u8`],
  },
  {
    what: 'segments in a separate folder, which the playlist gets as base URL',
    request: { input: 'a.mp4', output: 'x/b.m3u8', parameters: { hls_segment_filename: '/x/parts/s%03d.ts' } },
    argv: [`${I} file:in/0.mp4 -hls_segment_filename out/parts/s%03d.ts -hls_base_url parts/ -f hls file:out/b.m3u8`],
  },
  {
    what: 'a folder for each variant',
    request: {
      input: 'a.mp4',
      output: 'x/v%v/b.m3u8',
      parameters: { var_stream_map: 'v:0 v:1', hls_segment_filename: 'v%v/s%d.ts', master_pl_name: 'all.m3u8' },
    },
    argv: [
      `${I} file:in/0.mp4 -var_stream_map v:0 v:1 -hls_segment_filename out/v%v/s%d.ts -master_pl_name all.m3u8 -f hls out/v%v/b.m3u8`,
    ],
  },
  {
    what: 'an output without "%v" is the master playlist of its variants',
    request: { input: 'a.mp4', output: 'x/b.m3u8', parameters: { var_stream_map: 'v:0 v:1' } },
    argv: [`${I} file:in/0.mp4 -var_stream_map v:0 v:1 -master_pl_name b.m3u8 -f hls file:out/b_%v.m3u8`],
  },
  {
    what: 'two passes with maps keep the numbers of the streams, and libx265 has its own logs',
    request: {
      input: 'a.mp4',
      output: 'b.mkv',
      parameters: {
        ...{ map: ['0:a', '0:v', '0:v'], 'c:v': 'libx265', 'b:v': '1M', 'c:v:1': 'libx264', pass: '2' },
        'x265-params': 'keyint=48',
      },
    },
    argv: (['1', '2'] as const).map(
      (pass) =>
        `${I} file:in/0.mp4 -map 0:a -map 0:v -map 0:v -c:v libx265 -b:v 1M -c:v:1 libx264 -x265-params keyint=48 -x265-params:v:0 pass=${pass}:stats=pass/x265-0.log:keyint=48 -pass ${pass} -passlogfile pass/log ${pass === '1' ? '-y -f matroska file:/dev/null' : '-f matroska file:out/b.mkv'}`,
    ),
  },
  ...(
    [
      [{ 'c:0': 'libx265', 'x265-params:0': 'keyint=48' }, '-c:0 libx265 -x265-params:0 keyint=48', 0],
      [{ 'c:V:0': 'libx265', 'x265-params:V:0': 'keyint=48' }, '-c:V:0 libx265 -x265-params:V:0 keyint=48', 0],
      [
        { map: ['0:a:0', '0:v:0'], 'c:1': 'libx265', 'x265-params': 'keyint=48' },
        '-map 0:a:0 -map 0:v:0 -c:1 libx265 -x265-params keyint=48',
        0,
      ],
      [
        { map: ['0:v:0', '0:v:0'], 'c:v': 'libx264', 'c:1': 'libx265', 'x265-params:1': 'keyint=48' },
        '-map 0:v:0 -map 0:v:0 -c:v libx264 -c:1 libx265 -x265-params:1 keyint=48',
        1,
      ],
      [
        { map: '0', 'c:v': 'libx264', 'c:v:1': 'libx265', 'x265-params': 'keyint=48' },
        '-map 0 -c:v libx264 -c:v:1 libx265 -x265-params keyint=48',
        1,
      ],
    ] as const
  ).map(
    ([parameters, words, video]): Row => ({
      what: `two passes with libx265 named by: ${words}`,
      request: { input: 'a.mp4', output: 'b.mkv', parameters: { ...parameters, pass: '2' } },
      argv: (['1', '2'] as const).map((pass) => {
        const less = 'map' in parameters ? '' : '-an -sn ';
        const end = pass === '1' ? `${less}-y -f matroska file:/dev/null` : '-f matroska file:out/b.mkv';
        return `${I} file:in/0.mp4 ${words} -x265-params:v:${video} pass=${pass}:stats=pass/x265-${video}.log:keyint=48 -pass ${pass} -passlogfile pass/log ${end}`;
      }),
    }),
  ),
  {
    what: 'two passes: the first without sound, container and muxer options',
    request: {
      input: 'a.mp4',
      output: 'b.mp4',
      parameters: { 'c:v': 'libx264', 'b:v': '200k', movflags: '+faststart', pass: '2', y: '' },
    },
    argv: [
      `${I} file:in/0.mp4 -c:v libx264 -b:v 200k -pass 1 -passlogfile pass/log -an -sn -y -f mp4 file:/dev/null`,
      `${I} file:in/0.mp4 -c:v libx264 -b:v 200k -movflags +faststart -pass 2 -passlogfile pass/log -f mp4 file:out/b.mp4`,
    ],
  },
  {
    what: 'two passes into many files: the first writes none, at the same frame rate',
    request: { input: 'a.mp4', output: 'x/b.m3u8', parameters: { 'b:v': '200k', hls_time: '4', pass: '2' } },
    argv: [
      `${I} file:in/0.mp4 -b:v 200k -pass 1 -passlogfile pass/log -an -sn -fps_mode cfr -f null -`,
      `${I} file:in/0.mp4 -b:v 200k -hls_time 4 -pass 2 -passlogfile pass/log -f hls file:out/b.m3u8`,
    ],
  },
  {
    what: 'file names that look like options, and an invalid extension',
    request: { input: '-i.m p4', output: '-y.mp4' },
    argv: [`${I} file:in/0 -f mp4 file:out/-y.mp4`],
  },
  {
    what: 'stream specifiers of every form',
    request: {
      input: 'a.mkv',
      output: 'b.mkv',
      parameters: {
        'c:0': 'copy',
        'c:a:m:language:eng': 'aac',
        'b:p:1:v:0': '1M',
        'metadata:s:a:0': 'language=eng',
        'crf:v:0': '20',
      },
    },
    argv: [
      `${I} file:in/0.mkv -c:0 copy -c:a:m:language:eng aac -b:p:1:v:0 1M -metadata:s:a:0 language=eng -crf:v:0 20 -f matroska file:out/b.mkv`,
    ],
  },
];

test.each(rows)('argv: $what', ({ request, argv }) => {
  expect(validPlan(request).passes.map((words) => words.join(' '))).toEqual(
    argv.map((rest) => `${headOf(rest)} ${rest}`),
  );
});

test('a value with spaces is one word of the argv', () => {
  const { passes } = validPlan({
    input: 'a.mp4',
    output: 'b.mp4',
    parameters: { metadata: ['title=A -y B', 'comment=x'] },
  });
  expect(passes[0]?.slice(-7)).toEqual([
    '-metadata',
    'title=A -y B',
    '-metadata',
    'comment=x',
    '-f',
    'mp4',
    'file:out/b.mp4',
  ]);
});

describe('a plan', () => {
  test('has the path and the field of each input', () => {
    const { inputs } = validPlan({ inputs: ['/srv/media/a.mp4', { input: '/x/../b.wav' }], output: 'c.mp4' });
    expect(inputs).toEqual([
      { logical: 'in/0.mp4', path: 'a.mp4', field: '/inputs/0' },
      { logical: 'in/1.wav', path: 'b.wav', field: '/inputs/1/input' },
    ]);
  });

  test('has the first number of a sequence', () => {
    const request = { input: 'img%03d.png', output: 'b.mp4', parameters: { start_number: '10' } };
    expect(validPlan(request).inputs).toEqual([
      { logical: 'in/0/%06d.png', path: 'img%03d.png', field: '/input', sequence: { startNumber: 10 } },
    ]);
  });

  test('treats a video whose name has a counter as one file', () => {
    expect(validPlan({ input: 'part%03d.mp4', output: 'b.mp4' }).inputs[0]?.sequence).toBeUndefined();
  });

  test('replaces the output only if "y" is sent', () => {
    const output = (y: Record<string, string>) => validPlan({ input: 'a.mp4', output: 'b.mp4', parameters: y }).output;
    expect(output({ y: '' })).toMatchObject({
      logical: 'out/b.mp4',
      names: [['b.mp4']],
      path: 'b.mp4',
      folder: '',
      muxer: 'mp4',
      replace: true,
    });
    expect(output({ y: 'false' }).replace).toBe(false);
    expect(output({}).replace).toBe(false);
  });

  test('has the part of the inputs that is converted', () => {
    const { span } = validPlan({
      inputs: [
        { input: 'a.mp4', parameters: { ss: '00:01:30.5', to: '100' } },
        { input: 'b.png', duration: '4' },
      ],
      output: 'c.mp4',
      parameters: { t: '1500ms', shortest: '', map: ['0', '1'] },
    });
    expect(span).toEqual({
      inputs: [{ start: 90.5, end: 100 }, { duration: 4 }],
      output: { duration: 1.5 },
      shortest: true,
    });
  });

  test('has the length of a slideshow', () => {
    const inputs = [{ input: 'a.png', duration: '4' }, { input: 'b.png', duration: '2', crossfade: '1' }, 'c.mp3'];
    expect(validPlan({ inputs, output: 'c.mp4', parameters: { ss: '1' } }).span).toEqual({
      inputs: [{ duration: 5 }, {}, {}],
      output: { start: 1, duration: 4 },
      shortest: false,
    });
  });

  test.each([[undefined], ['0.5']])(
    'of pictures that end between two frames is not rounded for each of them: crossfade %s',
    (fade) => {
      const inputs = Array.from({ length: 8 }, (_, index) =>
        fade === undefined || index === 0
          ? { input: `${index}.png`, duration: '2.5' }
          : { input: `${index}.png`, duration: '3', crossfade: fade },
      );
      expect(validPlan({ inputs, output: 'c.mp4' }).span.inputs[0]).toEqual({ duration: 20 });
    },
  );

  test('names the manifest and the folders to create', () => {
    const request = { input: 'a.mp4', output: 'x/p%d.ts', format: 'segment' };
    expect(validPlan({ ...request, parameters: { segment_list: 'x/l.csv' } }).output).toMatchObject({
      manifest: 'l.csv',
    });
    const parameters = { var_stream_map: 'v:0 v:1', hls_segment_filename: 'a/b/%v_%d.ts' };
    expect(validPlan({ input: 'a.mp4', output: 'x/v%v/i.m3u8', parameters }).output).toMatchObject({
      logical: 'out/v%v/i.m3u8',
      folder: 'x/',
      folders: ['out/a/b'],
    });
  });

  test('has one pass and a warning for an encoder without a two-pass mode', () => {
    const parameters = { 'c:v': 'libsvtav1', 'b:v': '1M', pass: '2' };
    const { passes, warnings } = validPlan({ input: 'a.mp4', output: 'b.mkv', parameters });
    expect([passes.length, warnings.length]).toEqual([1, 1]);
  });

  test.each([
    ['5.1', '0:m:language:fra?', '0:m:language:fra?'],
    ['7.1', '0:m:language:fra?', '0:m:language:fra:?'],
    ['7.1', '0:a:m:title:what\\:?', '0:a:m:title:what\\::?'],
    ['7.1', '0:m:language:fra', '0:m:language:fra'],
    ['7.1', '0:a:1?', '0:a:1?'],
  ] as const)('ffmpeg %s: an optional map by a tag is optional: %s', (version, sent, written) => {
    const { passes } = validPlan(requestWith({ map: sent, c: 'copy' }), { catalogue: recordedCatalogue(version) });
    expect(passes[0]).toContain(written);
  });

  test('uses "t" if "to" is there too, as ffmpeg does', () => {
    const { span } = validPlan({ input: 'a.mp4', output: 'b.mp4', parameters: { t: '1', to: '9' } });
    expect(span.output).toEqual({ duration: 1 });
  });
});
