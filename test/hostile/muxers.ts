import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

const HLS = 'out/a.m3u8';

/** Makes rows of one kind of output, with the options that it needs to be written at all. */
const ofKind =
  (kind: string, needed: Readonly<Record<string, string>>, to: { readonly output: string; readonly format?: string }) =>
  (
    effect: Effect,
    code: string,
    title: string,
    options: (bait: Canaries) => Readonly<Record<string, string>>,
    inert?: string | typeof FATAL,
  ) =>
    withOptions(effect, code, `${kind}: ${title}`, (bait) => ({ ...needed, ...options(bait) }), {
      ...to,
      ...(typeof inert === 'string' ? { inert } : inert),
    });

const hls = ofKind('HLS', { c: 'copy', hls_time: '0.1' }, { output: HLS });
const dash = ofKind('DASH', { 'c:v': 'libx264', 'c:a': 'aac' }, { output: 'out/a.mpd' });
const segment = ofKind('segments', { c: 'copy', segment_time: '0.1' }, { output: 'out/a%03d.ts', format: 'segment' });

/** A format of which each output is another effect. */
const format = (effect: Effect, code: string, name: string, argv: HostileRow['argv'], inert?: string): HostileRow => ({
  title: `the format ${name}`,
  effect,
  code,
  ...(inert === undefined ? {} : { inert }),
  ...(argv === undefined ? {} : { argv }),
  request: () => ({ input: 'movie.mp4', output: 'out/a', format: name, parameters: { t: '0.2' } }),
});

const FILE = 'BAD_FILE_NAME';
const REFUSED = 'OPTION_NOT_ALLOWED';
const FORMAT = 'FORMAT_NOT_ALLOWED';
const NONE = 'alone it does nothing';
const copy = (input: string): readonly string[] => ['-y', '-i', input, '-c', 'copy'];

/** 6. Containers, and the names of what they write. */
export const MUXERS: readonly HostileRow[] = [
  hls('writes', FILE, 'segments by a path', ({ folder }) => ({ hls_segment_filename: `${folder}/leak%d.ts` })),
  hls('writes', FILE, 'segments by the way up', () => ({ hls_segment_filename: '../host/untouched/leak%d.ts' })),
  hls('connects', FILE, 'segments to an address', ({ listener }) => ({
    hls_segment_filename: `tcp://${listener}/%d.ts`,
  })),
  hls('writes', FILE, 'segments by a protocol', ({ folder }) => ({ hls_segment_filename: `file:${folder}/leak%d.ts` })),
  hls('writes', FILE, 'segments in a folder by the date', ({ folder }) => ({
    strftime: '1',
    strftime_mkdir: '1',
    hls_segment_filename: `${folder}/%Y/%d.ts`,
  })),
  hls('reads', REFUSED, 'a key by a file that names others', ({ text }) => ({ hls_key_info_file: text }), FATAL),
  hls('writes', REFUSED, 'sixteen bytes anywhere', ({ folder }) => ({
    hls_enc: '1',
    hls_enc_key: '0123456789abcdef',
    hls_enc_key_url: `${folder}/leak`,
  })),
  hls('writes', FILE, 'a master playlist by the way up', () => ({ master_pl_name: '../../host/untouched/leak.m3u8' })),
  hls('writes', FILE, 'a beginning by the way up', () => ({
    hls_segment_type: 'fmp4',
    hls_fmp4_init_filename: '../../host/untouched/leak.mp4',
  })),
  hls(
    'writes',
    'BAD_VALUE',
    'variants by the way up',
    () => ({ var_stream_map: 'v:0,name:../../host/untouched/leak' }),
    'the output has no %v',
  ),
  hls(
    'connects',
    'BAD_VALUE',
    'lines of the caller’s in the playlist',
    ({ listener }) => ({
      hls_base_url: `http://${listener}/\n#EXT-X-KEY:METHOD=AES-128,URI="http://${listener}/k"\n`,
    }),
    'who plays it would',
  ),
  hls('connects', REFUSED, 'how it is sent', () => ({ method: 'PUT', headers: 'x: y\r\n' }), NONE),
  hls('connects', REFUSED, 'a proxy', ({ listener }) => ({ http_proxy: `http://${listener}` }), NONE),
  hls(
    'writes',
    'BAD_VALUE',
    'options of its segments',
    ({ folder }) => ({ hls_segment_options: `stats=${folder}/leak` }),
    NONE,
  ),
  dash(
    'writes',
    FILE,
    'a beginning by the way up',
    () => ({ init_seg_name: '../../host/untouched/leak$RepresentationID$' }),
    'the folder is reached only by out/..',
  ),
  dash(
    'writes',
    FILE,
    'segments by a path',
    ({ folder }) => ({ media_seg_name: `${folder}/leak$Number$.m4s` }),
    'it puts the output’s folder before',
  ),
  dash('writes', FILE, 'one file by the way up', () => ({
    single_file: '1',
    single_file_name: '../../host/untouched/leak',
  })),
  dash('writes', FILE, 'an HLS playlist by the way up', () => ({
    hls_playlist: '1',
    hls_master_name: '../../host/untouched/leak.m3u8',
  })),
  dash(
    'connects',
    'BAD_VALUE',
    'elements of the caller’s in the manifest',
    ({ listener }) => ({
      utc_timing_url: `http://${listener}/"/><BaseURL>http://${listener}/</BaseURL><x y="`,
    }),
    'who plays it would',
  ),
  dash('writes', 'BAD_VALUE', 'options of its segments', ({ folder }) => ({ format_options: `x=${folder}` }), NONE),
  segment('writes', FILE, 'their list by a path', ({ folder }) => ({ segment_list: `${folder}/leak.csv` })),
  segment('connects', FILE, 'their list to a port', ({ listener }) => ({ segment_list: `tcp://${listener}` })),
  segment('writes', REFUSED, 'their header by a path', ({ folder }) => ({
    segment_header_filename: `${folder}/leak`,
    segment_format: 'matroska',
  })),
  segment(
    'connects',
    'BAD_VALUE',
    'of a format that sends',
    () => ({ segment_format: 'rtp' }),
    'the name of the file counts',
  ),
  segment(
    'writes',
    'BAD_VALUE',
    'options of their format',
    ({ folder }) => ({ segment_format_options: `stats=${folder}/leak` }),
    NONE,
  ),
  segment(
    'connects',
    'BAD_VALUE',
    'lines of the caller’s in the list',
    ({ listener }) => ({
      segment_list: 'out/a.m3u8',
      segment_list_entry_prefix: `http://${listener}/\n`,
    }),
    'who plays it would',
  ),
  format('writes', FORMAT, 'tee', ({ folder }, input) => [
    ...copy(input),
    '-map',
    '0',
    '-f',
    'tee',
    `out/a.mkv|${folder}/leak.mkv`,
  ]),
  format('connects', FORMAT, 'fifo', ({ listener }, input) => [
    ...copy(input),
    '-map',
    '0',
    '-f',
    'fifo',
    '-fifo_format',
    'mpegts',
    `tcp://${listener}`,
  ]),
  format('connects', FORMAT, 'rtp', ({ listener }, input) => [...copy(input), '-an', '-f', 'rtp', `rtp://${listener}`]),
  format('connects', FORMAT, 'rtsp', ({ listener }, input) => [...copy(input), '-f', 'rtsp', `rtsp://${listener}/x`]),
  format(
    'connects',
    FORMAT,
    'sap',
    ({ listener }, input) => [...copy(input), '-f', 'sap', `sap://${listener}`],
    'it announces to a group, not to an address',
  ),
  format('writes', FORMAT, 'webm_chunk', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-map',
    '0:v',
    '-c:v',
    'libvpx',
    '-f',
    'webm_chunk',
    '-header',
    `${folder}/leak.hdr`,
    'out/a%d.chk',
  ]),
  format('writes', FORMAT, 'hds', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-c:v',
    'flv',
    '-an',
    '-f',
    'hds',
    `${folder}/leak`,
  ]),
  format('writes', FORMAT, 'smoothstreaming', ({ folder }, input) => [
    '-y',
    '-i',
    input,
    '-c:v',
    'libx264',
    '-f',
    'smoothstreaming',
    `${folder}/leak`,
  ]),
  ...['alsa', 'caca', 'fbdev', 'oss', 'opengl', 'pulse', 'sdl', 'sdl2', 'v4l2', 'xv', 'decklink'].map((name) =>
    Object.assign(
      format('exhausts', FORMAT, name, undefined, 'there is no such device in a container'),
      name === 'alsa' ? {} : { spells: 'the format alsa' },
    ),
  ),
  format('exhausts', FORMAT, 'chromaprint', undefined, 'it is no media file'),
  withOptions(
    'writes',
    'OUTSIDE_ROOT',
    'pictures in folders that the name counts',
    { vf: 'null' },
    {
      output: 'out/../../host/untouched/leak%d.png',
    },
  ),
  withOptions(
    'writes',
    'BAD_VALUE',
    'HLS: a variant whose name is the way up',
    { c: 'copy', hls_time: '0.1', var_stream_map: 'v:0,name:..' },
    { output: 'out/%v/leak.m3u8', fatal: true },
  ),
  withOptions(
    'writes',
    'BAD_VALUE',
    'HLS: a variant without a name, between dots',
    { c: 'copy', hls_time: '0.1', var_stream_map: 'v:0,name:' },
    { output: 'out/.%v./leak.m3u8', fatal: true },
  ),
];
