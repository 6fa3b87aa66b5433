import type { Build } from './build.ts';
import type { Catalogue, CliFacts, CliHelp } from './catalogue.ts';

/** The lists of libavutil, which depend only on the release. */
export type RecordedLists = Pick<Catalogue['lists'], 'pixelFormats' | 'sampleFormats' | 'channelLayouts' | 'colors'>;

/** The recorded releases, oldest first. `test/fixtures/ffmpeg-help` has their help; a test compares these lists with it. */
const RELEASES = ['5.1', '7.1', '9.0'];

/** The names in ffmpeg 9.0, in its order. `vuya@7.1`: 5.1 lacks this name, and 7.1 is the first recorded release with it. */
const LISTS: Readonly<Record<keyof RecordedLists, string>> = {
  pixelFormats: `
yuv420p yuyv422 rgb24 bgr24 yuv422p yuv444p yuv410p yuv411p gray monow monob pal8 yuvj420p yuvj422p yuvj444p uyvy422
uyyvyy411 bgr8 bgr4 bgr4_byte rgb8 rgb4 rgb4_byte nv12 nv21 argb rgba abgr bgra gray16be gray16le yuv440p yuvj440p
yuva420p rgb48be rgb48le rgb565be rgb565le rgb555be rgb555le bgr565be bgr565le bgr555be bgr555le yuv420p16le yuv420p16be
yuv422p16le yuv422p16be yuv444p16le yuv444p16be rgb444le rgb444be bgr444le bgr444be ya8 bgr48be bgr48le yuv420p9be
yuv420p9le yuv420p10be yuv420p10le yuv422p10be yuv422p10le yuv444p9be yuv444p9le yuv444p10be yuv444p10le yuv422p9be
yuv422p9le gbrp gbrp9be gbrp9le gbrp10be gbrp10le gbrp16be gbrp16le yuva422p yuva444p yuva420p9be yuva420p9le
yuva422p9be yuva422p9le yuva444p9be yuva444p9le yuva420p10be yuva420p10le yuva422p10be yuva422p10le yuva444p10be
yuva444p10le yuva420p16be yuva420p16le yuva422p16be yuva422p16le yuva444p16be yuva444p16le xyz12le xyz12be nv16 nv20le
nv20be rgba64be rgba64le bgra64be bgra64le yvyu422 ya16be ya16le gbrap gbrap16be gbrap16le 0rgb rgb0 0bgr bgr0
yuv420p12be yuv420p12le yuv420p14be yuv420p14le yuv422p12be yuv422p12le yuv422p14be yuv422p14le yuv444p12be yuv444p12le
yuv444p14be yuv444p14le gbrp12be gbrp12le gbrp14be gbrp14le yuvj411p bayer_bggr8 bayer_rggb8 bayer_gbrg8 bayer_grbg8
bayer_bggr16le bayer_bggr16be bayer_rggb16le bayer_rggb16be bayer_gbrg16le bayer_gbrg16be bayer_grbg16le bayer_grbg16be
yuv440p10le yuv440p10be yuv440p12le yuv440p12be ayuv64le ayuv64be p010le p010be gbrap12be gbrap12le gbrap10be gbrap10le
gray12be gray12le gray10be gray10le p016le p016be gray9be gray9le gbrpf32be gbrpf32le gbrapf32be gbrapf32le gray14be
gray14le grayf32be grayf32le yuva422p12be yuva422p12le yuva444p12be yuva444p12le nv24 nv42 y210be y210le x2rgb10le
x2rgb10be x2bgr10le x2bgr10be p210be p210le p410be p410le p216be p216le p416be p416le vuya@7.1 rgbaf16be@7.1
rgbaf16le@7.1 vuyx@7.1 p012le@7.1 p012be@7.1 y212be@7.1 y212le@7.1 xv30be@7.1 xv30le@7.1 xv36be@7.1 xv36le@7.1
rgbf32be@7.1 rgbf32le@7.1 rgbaf32be@7.1 rgbaf32le@7.1 p212be@7.1 p212le@7.1 p412be@7.1 p412le@7.1 gbrap14be@7.1
gbrap14le@7.1 ayuv@9.0 uyva@9.0 vyu444@9.0 v30xbe@9.0 v30xle@9.0 rgbf16be@9.0 rgbf16le@9.0 rgba128be@9.0 rgba128le@9.0
rgb96be@9.0 rgb96le@9.0 y216be@9.0 y216le@9.0 xv48be@9.0 xv48le@9.0 gbrpf16be@9.0 gbrpf16le@9.0 gbrapf16be@9.0
gbrapf16le@9.0 grayf16be@9.0 grayf16le@9.0 gray32be@9.0 gray32le@9.0 yaf32be@9.0 yaf32le@9.0 yaf16be@9.0 yaf16le@9.0
gbrap32be@9.0 gbrap32le@9.0 yuv444p10msbbe@9.0 yuv444p10msble@9.0 yuv444p12msbbe@9.0 yuv444p12msble@9.0 gbrp10msbbe@9.0
gbrp10msble@9.0 gbrp12msbbe@9.0 gbrp12msble@9.0
`,
  sampleFormats: `
u8 s16 s32 flt dbl u8p s16p s32p fltp dblp s64 s64p
`,
  channelLayouts: `
FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR DL DR WL WR SDL SDR LFE2 TSL TSR BFC BFL BFR SSL@7.1
SSR@7.1 TTL@7.1 TTR@7.1 BIL@9.0 BIR@9.0 mono stereo 2.1 3.0 3.0(back) 4.0 quad quad(side) 3.1 5.0 5.0(side) 4.1 5.1
5.1(side) 6.0 6.0(front) 3.1.2@7.1 hexagonal 6.1 6.1(back) 6.1(front) 7.0 7.0(front) 7.1 7.1(wide) 7.1(wide-side)
5.1.2@7.1 5.1.2(back)@9.0 octagonal cube@7.1 5.1.4@7.1 7.1.2@7.1 7.1.4@7.1 7.2.3@7.1 9.1.4@7.1 9.1.6@9.0 hexadecagonal
binaural@9.0 downmix 22.2
`,
  colors: `
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkturquoise darkviolet deeppink deepskyblue dimgray dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
ghostwhite gold goldenrod gray green greenyellow honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightsteelblue lightyellow lime limegreen linen magenta maroon
mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered
orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red
rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray snow
springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
`,
};

/** The lists of a recorded release, which patch releases do not change. undefined: another release, which must be queried. */
export function recordedLists(release: Build['release']): RecordedLists | undefined {
  const index = RELEASES.indexOf(release?.join('.') ?? '');
  if (index < 0) return undefined;
  const namesOf = (row: keyof RecordedLists): ReadonlySet<string> =>
    new Set(
      LISTS[row]
        .trim()
        .split(/\s+/)
        .map((word) => word.split('@'))
        .filter(([, since = '5.1']) => RELEASES.indexOf(since) <= index)
        .map(([name = '']) => name),
    );
  return {
    pixelFormats: namesOf('pixelFormats'),
    sampleFormats: namesOf('sampleFormats'),
    channelLayouts: namesOf('channelLayouts'),
    colors: namesOf('colors'),
  };
}

/**
 * Facts about options of the ffmpeg program that are the same in 5.1, 7.1 and 9.0; a test compares them with `test/fixtures/ffmpeg-help`.
 * Each line is `name|help`. `help`: the help text in one of these releases, or empty if the release does not list the option.
 */
const OPTION_ROWS: readonly (readonly [argument: boolean, place: CliFacts['place'], lines: string])[] = [
  [
    true,
    'both',
    `
c|codec name
c|select encoder/decoder ('copy' to copy stream without reencoding)
tag|force codec tag/fourcc
t|record or transcode "duration" seconds of audio/video
t|stop transcoding after specified duration
to|record or transcode stop time
to|stop transcoding after specified time is reached
ss|set the start time offset
ss|start transcoding at specified time
r|set frame rate (Hz value, fraction or abbreviation)
r|override input framerate/convert to given output framerate (Hz value, fraction or abbreviation)
s|set frame size (WxH or abbreviation)
s|
pix_fmt|set pixel format
ar|set audio sampling rate (in Hz)
ac|set number of audio channels
sample_fmt|set sample format
ch_layout|set channel layout
`,
  ],
  [
    true,
    'output',
    `
b|video bitrate (please use -b:v)
q|use fixed quality scale (VBR)
profile|set profile
frames|set the number of frames to output
filter|set stream filtergraph
filter|apply specified filters to audio/video
disposition|disposition
fs|set the limit file size in bytes
timestamp|set the recording timestamp ('now' to set the current time)
muxdelay|set the maximum demux-decode delay
muxpreload|set the initial demux-decode delay
copypriorss|copy or discard frames before start time
max_muxing_queue_size|maximum number of packets that can be buffered while waiting for all streams to initialize
muxing_queue_data_threshold|set the threshold after which max_muxing_queue_size is taken into account
map|set input stream mapping
map_chapters|set chapters mapping
map_metadata|set metadata information of outfile from infile
metadata|add metadata
program|add program with specified streams
streamid|set the value of an outfile streamid
target|specify target file type ("vcd", "svcd", "dvd", "dv" or "dv50" with optional prefixes "pal-", "ntsc-" or "film-")
fpsmax|set max frame rate (Hz value, fraction or abbreviation)
fps_mode|set framerate mode for matching video streams; overrides vsync
fps_mode|set framerate mode for matching video streams
aspect|set aspect ratio (4:3, 16:9 or 1.3333, 1.7777)
timecode|set initial TimeCode value.
force_key_frames|force key frames at specified timestamps
rc_override|rate control override for specific intervals
intra_matrix|specify intra matrix coeffs
inter_matrix|specify inter matrix coeffs
chroma_intra_matrix|specify intra matrix coeffs
bits_per_raw_sample|set the number of bits per raw sample
time_base|set the desired time base hint for output stream (1:24, 1:48000 or 0.04166, 2.0833e-5)
enc_time_base|set the desired time base for the encoder (1:24, 1:48000 or 0.04166, 2.0833e-5). two special values are defined - 0 = use frame rate (video) or sample rate (audio),-1 = match source time base
apad|audio pad
`,
  ],
  [
    true,
    'global',
    `
filter_complex|create a complex filtergraph
copytb|copy input stream time base when stream copying
dts_delta_threshold|timestamp discontinuity delta threshold
dts_error_threshold|timestamp error delta threshold
max_error_rate|ratio of decoding errors (0.0: no errors, 1.0: 100% errors) above which ffmpeg returns an error instead of success.
abort_on|abort on the specified condition flags
`,
  ],
  [
    true,
    'input',
    `
reinit_filter|reinit filtergraph on input parameter changes
discard|discard
sseof|set the start time offset relative to EOF
seek_timestamp|enable/disable seeking by timestamp with -ss
itsoffset|set the input ts offset
itsscale|set the input ts scale
isync|Indicate the input index for sync reference
stream_loop|set number of times input stream shall be looped
guess_layout_max|set the maximum number of channels to try to guess the channel layout
canvas_size|set canvas size (WxH or abbreviation)
`,
  ],
  [
    false,
    'input',
    `
accurate_seek|enable/disable accurate seeking with -ss
noaccurate_seek|enable/disable accurate seeking with -ss
find_stream_info|read and decode the streams to fill missing information with heuristics
nofind_stream_info|read and decode the streams to fill missing information with heuristics
noautorotate|automatically insert correct rotate filters
fix_sub_duration|fix subtitles duration
`,
  ],
  [
    false,
    'output',
    `
shortest|finish encoding within shortest input
copyinkf|copy initial non-keyframes
force_fps|force the selected framerate, disable the best supported framerate selection
noautoscale|automatically insert a scale filter at the end of the filter graph
`,
  ],
  [
    false,
    'both',
    `
bitexact|bitexact mode
vn|disable video
an|disable audio
sn|disable subtitle
dn|disable data
`,
  ],
  [
    false,
    'global',
    `
copyts|copy timestamps
start_at_zero|shift input timestamps to start at 0 when using copyts
xerror|exit on error
ignore_unknown|Ignore unknown stream types
copy_unknown|Copy unknown stream types
recast_media|allow recasting stream type in order to force a decoder of different media type
auto_conversion_filters|enable automatic conversion filters globally
noauto_conversion_filters|enable automatic conversion filters globally
`,
  ],
];

/**
 * The facts of `OPTION_ROWS` that hold for a build: for builds from 5.1 to 9.0, the facts of options with the same help text as in a
 * recorded release. With another text, an option may work differently. Empty for newer releases and snapshots. An option whose facts are
 * here needs no query, which takes up to four processes.
 *
 * @param help The entries of the build's `-h full`.
 */
export function recordedFacts(
  release: Build['release'],
  help: ReadonlyMap<string, CliHelp>,
): ReadonlyMap<string, CliFacts> {
  const facts = new Map<string, CliFacts>();
  if (!isInRecordedRange(release)) return facts;
  for (const [argument, place, lines] of OPTION_ROWS)
    for (const line of lines.trim().split('\n')) {
      const [name = '', ...text] = line.split('|');
      if (text.join('|') === helpOf(name, help)) facts.set(name, { argument, place });
    }
  return facts;
}

/** True from the oldest recorded release to the newest. */
export function isInRecordedRange(release: Build['release']): boolean {
  const [major, minor] = release ?? [0, 0];
  return (major === 5 && minor >= 1) || (major > 5 && major < 9) || (major === 9 && minor === 0);
}

/** The help text of an option. Empty: the help does not list it. `noautorotate` has the text of `autorotate`. */
const helpOf = (name: string, help: ReadonlyMap<string, CliHelp>): string =>
  (help.get(name) ?? (name.startsWith('no') ? help.get(name.slice(2)) : undefined))?.help ?? '';
