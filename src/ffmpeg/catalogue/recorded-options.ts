import type { Build } from './build.ts';
import type { CliFacts, CliHelp } from './catalogue.ts';

/**
 * ffmpeg's own options that ffmpeg 5.1, 7.1 and 9.0 treat alike, by what they take and where they apply. Each line is
 * `name|help`, with a help text of one of these releases; it is empty if the release does not list the option. The
 * recordings in test/fixtures/ffmpeg-help prove the facts.
 */
const ROWS: readonly (readonly [argument: boolean, place: CliFacts['place'], lines: string])[] = [
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
 * Returns the facts that need not be queried from a release between 5.1 and 9.0: those about options that the build
 * describes in the words of a recorded release. Where the words differ, the build may treat the option differently.
 * Querying one option takes up to four processes, and a first request would have to wait for them. Returns nothing for
 * newer releases and snapshots, which are queried.
 *
 * @param help The entries of the build's `-h full`.
 */
export function recordedFacts(
  release: Build['release'],
  help: ReadonlyMap<string, CliHelp>,
): ReadonlyMap<string, CliFacts> {
  const facts = new Map<string, CliFacts>();
  if (!isInRecordedRange(release)) return facts;
  for (const [argument, place, lines] of ROWS)
    for (const line of lines.trim().split('\n')) {
      const [name = '', ...text] = line.split('|');
      if (text.join('|') === helpOf(name, help)) facts.set(name, { argument, place });
    }
  return facts;
}

/** Whether a release is one of the recorded ones or between two of them. */
export function isInRecordedRange(release: Build['release']): boolean {
  const [major, minor] = release ?? [0, 0];
  return (major === 5 && minor >= 1) || (major > 5 && major < 9) || (major === 9 && minor === 0);
}

/** The help text of an option; '' if it is not listed. The help of `autorotate` also describes `noautorotate`. */
const helpOf = (name: string, help: ReadonlyMap<string, CliHelp>): string =>
  (help.get(name) ?? (name.startsWith('no') ? help.get(name.slice(2)) : undefined))?.help ?? '';
