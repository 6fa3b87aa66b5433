import { CONTAINER_CAUSES } from './causes/container-causes.ts';
import { ENCODER_CAUSES } from './causes/encoder-causes.ts';
import { FILTER_CAUSES } from './causes/filter-causes.ts';
import { VAGUE_CAUSES } from './causes/vague-causes.ts';
import type { LogLine } from './log-line.ts';

/** Matches the name of a filter in the log: `Parsed_unsharp_0`. */
const FILTER = /^Parsed_([a-z]\w*?)_\d+$/;

/** Filters whose error lines may quote a file, a font or the media, so that clients must not see them. */
const QUOTING_FILTERS: ReadonlySet<string> = new Set(
  `ass subtitles drawtext metadata ametadata movie amovie sendcmd asendcmd zmq azmq ocr signature libvmaf arnndn
   sofalizer lut1d lut3d curves vidstabdetect vidstabtransform find_rect cover_rect frei0r frei0r_src ladspa lv2
   dnn_classify dnn_detect dnn_processing derain sr removelogo fieldhint nnedi selectivecolor showcqt cellauto life
   flite`.split(/\s+/),
);

/** Matches words, numbers and signs. A slash is allowed only between digits, because it may belong to a path. */
const CAUSE = /^(?:[\w .,:;!%()[\]+=<>|*'"-]|(?<=\d)\/(?=\d)){5,200}$/;
/** Matches lines that say that something failed, but not why. */
const NO_CAUSE = /^(?:Failed to |Error |Cannot open lib)|failed\.?$/;

/** True if an error line says why something failed, with no text but ffmpeg's own and option values. */
const isPlainCause = ({ level, isColored, text }: LogLine): boolean =>
  level === 'error' && isColored && CAUSE.test(text) && !NO_CAUSE.test(text);

/** True if the line is from a filter that says why it failed, in ffmpeg's own words. */
export function isFilterCause(line: LogLine): boolean {
  const filter = FILTER.exec(line.component ?? '')?.[1];
  return filter !== undefined && !QUOTING_FILTERS.has(filter) && isPlainCause(line);
}

/** True if the line is from one of these encoders and says why it failed. */
export const isEncoderCause = (line: LogLine, encoders: ReadonlySet<string>): boolean =>
  line.component !== undefined && encoders.has(line.component) && isPlainCause(line);

/** True if the line is from this muxer and says why it failed. */
export const isMuxerCause = (line: LogLine, muxer: string): boolean => line.component === muxer && isPlainCause(line);

/** Matches a logical name such as `in/0.mp4`, which is never a host path. It has no quotes, and the client chooses its last part. */
const NAME = String.raw`(?:crypto:)?(?:file:)?(?:in|out|pass)\/[^'"]{1,300}?`;
/** Matches the name of a codec, filter, format, option or pixel format. */
const WORD = String.raw`[\w.,:+-]{1,100}`;
/** Matches text without paths, such as the statistics of an encoder. */
const PLAIN = String.raw`[\w .,:;%()\[\]+=<>|*#?!-]{0,400}`;
const STREAM = String.raw`#?\d+[:.]\d+`;

/** The messages of strerror and av_strerror that occur in conversions. */
const REASON = [
  'Invalid data found when processing input',
  'No such file or directory',
  'Permission denied',
  'Is a directory',
  'Invalid argument',
  'No space left on device',
  'Disk quota exceeded',
  'File too large',
  'Cannot allocate memory',
  'Resource temporarily unavailable',
  'Too many open files',
  'Input\\/output error',
  'Read-only file system',
  'Operation not permitted',
  'Protocol not found',
  'Function not implemented',
  'Not yet implemented in FFmpeg, patches welcome',
  'Encoder not found',
  'Decoder not found',
  'Demuxer not found',
  'Muxer not found',
  'Filter not found',
  'Option not found',
  'Stream not found',
  'Bitstream filter not found',
  'End of file',
  'Immediate exit requested',
  'Conversion failed!',
  'Generic error in an external library',
  'Internal bug, should not have happened',
  'Experimental feature',
  'Error number -\\d+ occurred',
  'Result too large',
  'Numerical result out of range',
  'Broken pipe',
  'Bad file descriptor',
  'Unknown error occurred',
].join('|');

const shapes = (...sources: readonly string[]): readonly RegExp[] => sources.map((s) => new RegExp(`^(?:${s})$`, 'u'));

/** The lines of ffmpeg and its libraries that clients may see. */
const TEXTS = shapes(
  // Lines about inputs and outputs. None of them contains metadata, the only text from the media.
  `(?:Input|Output) #\\d+, ${WORD}, (?:from|to) '${NAME}':`,
  String.raw` {2}Duration: (?:N\/A|[\d:.]+)(?:, start: -?[\d.]+)?(?:, bitrate: (?:N\/A|\d+ kb\/s))?`,
  String.raw` {2}Stream ${STREAM}(?:\[0x[0-9a-f]+\])?(?:\(\w{1,8}\))?: (?:Video|Audio|Subtitle|Data|Attachment)(?:: [\w .,:()\[\]\/|+=-]{0,400})?`,
  'Stream mapping:',
  String.raw` {2}Stream ${STREAM} -> ${STREAM} \([\w ()>.-]{1,120}\)`,
  String.raw` {2}(?:Stream ${STREAM} \(\w{1,60}\) -> [\w:@.-]{1,80}|[\w:@.-]{1,80} -> Stream ${STREAM} \(\w{1,60}\))`,
  String.raw`(?:frame|size)= *[\w .=:\/+%-]{1,300}`,
  String.raw`video: ?[\w .:\/%-]{1,300}`,
  String.raw`encoded \d+ frames in [\w .,:%()\/]{1,200}`,
  `Opening '${NAME}' for (?:reading|writing)`,
  String.raw` {4}Last message repeated \d+ times`,
  // Messages at the end of the conversion.
  `(?:Error opening (?:input|output)(?: file)?(?: |: ))?${NAME}: (?:${REASON})`,
  `(?:av_interleaved_write_frame\\(\\)|Error muxing a packet|Error submitting a packet to the muxer|Error opening (?:input|output)(?: files?)?|Error initializing the muxer for ${NAME}|Could not open file : ${NAME}|Error (?:writing trailer|closing file|opening output|opening input|opening output file|opening input file)(?: of)? ${NAME}|Terminating thread with return code -?\\d+ \\((?:${REASON})\\)|Task finished with error code: -?\\d+ \\((?:${REASON})\\)|Error (?:while )?(?:filtering|decoding|encoding|demuxing|muxing)|Failed to inject frame into filter network|Error (?:re)?initializing filters)[:!.]?(?: (?:${REASON}))?`,
  `Could not write header(?: for output file #\\d+)?(?: \\(incorrect codec parameters \\?\\))?: (?:${REASON})`,
  'Conversion failed!',
  `Error (?:submitting video frame to the encoder|encoding a frame: (?:${REASON}))`,
  String.raw`Exiting normally, received signal \d+\.`,
  'Received > 3 system signals, hard exiting',
  String.raw`Output file is empty, nothing was encoded[\w ().,\/-]{0,120}`,
  String.raw`Nothing was written into output file \d+, because at least one of its streams received no packets\.`,
  String.raw`Output file #?\d+ does not contain any stream`,
  'Output file does not contain any stream',
  String.raw`Stream map '[\w:?.\[\] -]{0,60}' matches no streams\.`,
  String.raw`To ignore this, add a trailing '\?' to the map\.`,
  `Error selecting an encoder(?: for stream ${STREAM})?`,
  // Messages about features that the build or the format lacks.
  `(?:Unknown|Unrecognized) (?:encoder|decoder|input format|output format|option|hwaccel) '?${WORD}'?\\.?`,
  `(?:Encoder|Decoder) (?:\\(codec ${WORD}\\) )?not found(?: for (?:input|output) stream ${STREAM})?`,
  `Requested output format '${WORD}' (?:is not a suitable output format|is not known\\.?)`,
  `Unable to (?:find|choose) a suitable output format for '${NAME}'|Unable to choose an output format for '${NAME}'${PLAIN}`,
  `Could not find tag for codec ${WORD} in stream #\\d+, codec not currently supported in container`,
  `The encoder '${WORD}' is experimental but experimental codecs are not enabled, add '-strict -2' if you want to use it\\.`,
  `Alternatively use the non experimental encoder '${WORD}'\\.`,
  `Invalid encoder type '${WORD}'`,
  `Only ${PLAIN} (?:is|are) supported(?: for ${WORD})?\\.?`,
  `${WORD}(?: codec)? (?:is )?not supported in ${PLAIN}`,
  `Format (?:${WORD} )?(?:not on whitelist ${PLAIN}|detected only with low score of \\d+, misdetection possible!)`,
  `Protocol '${WORD}' not on whitelist '${WORD}'!`,
  `(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with ${PLAIN}`,
  `${WORD} does not support ${PLAIN}`,
  `No such filter: '${WORD}'`,
  `Subtitle encoding currently only possible from text to text or bitmap to bitmap`,
  `Only SUBTITLE_ASS type supported\\.`,
  `Impossible to convert between the formats supported by the filter '${WORD}( ${WORD})?' and the filter '${WORD}( ${WORD})?'`,
  `Specified (?:sample (?:rate|format)|pixel format|channel layout) ${PLAIN} is (?:not supported|invalid or not supported)${PLAIN}`,
  `${WORD} not divisible by \\d+(?: \\(\\d+x\\d+\\))?`,
  `Error (?:setting|parsing) option ${WORD} to value ${PLAIN}\\.`,
  `Undefined constant or missing '\\(' in '${PLAIN}'`,
  `Unable to parse option value "${PLAIN}"(?: as ${PLAIN})?`,
  `Option ${WORD} not found\\.?`,
  `Value -?[\\d.]+ for parameter '${WORD}' out of range \\[${PLAIN}\\]`,
  String.raw`Error (?:initializing|while opening) (?:output stream ${STREAM} -- )?(?:Error while opening )?(?:encoder|decoder)?[\w #:,.-]{0,200}`,
  `Error while opening (?:encoder|decoder)[\\w #:,.-]{0,120}(?: : (?:${REASON}))?`,
  `Error (?:while )?processing the decoded data for stream ${STREAM}`,
  // Messages about defects of an input.
  'moov atom not found',
  String.raw`Cannot determine format of input (?:stream )?[\w:#.]{1,40} after EOF`,
  'Error marking filters as finished',
  `${NAME}: could not find codec parameters`,
  String.raw`Could not find codec parameters for stream \d+ \([\w .,:()\[\]\/|+=-]{0,200}\): [\w ]{1,60}`,
  String.raw`Consider increasing the value for the 'analyzeduration'[\w ()'.-]{0,120}`,
  String.raw`Guessed Channel Layout for Input Stream ${STREAM} : [\w.() ]{1,40}`,
  'Estimating duration from bitrate, this may be inaccurate',
  'deprecated pixel format used, make sure you did set range correctly',
  String.raw`(?:Application provided invalid, n|N)on[ -]monoton(?:ically increasing|ous|ic) (?:dts|DTS)[\w #:;,.>=-]{0,200}`,
  String.raw`Timestamps are unset in a packet for stream \d+\.[\w .]{0,160}`,
  String.raw`(?:Invalid NAL unit size|Error splitting the input into NAL units|missing picture in access unit|no frame!|non-existing [PS]PS|decode_slice_header error|corrupt (?:decoded frame|input packet)|error while decoding MB|concealing|Invalid data found|Header missing|Error while decoding stream|Packet corrupt|stream \d+, offset|Invalid and inefficient|Reserved bit set|Number of bands|invalid band type|channel element|Missing PPS|Could not find ref)[\w #:;,.()>=+-]{0,200}(?:: (?:${REASON}))?`,
  String.raw`Too many packets buffered for output stream ${STREAM}\.`,
  String.raw`Past duration [\d.]+ too large`,
  String.raw`More than \d+ frames duplicated`,
  String.raw`encoding as \d+ bits-per-sample`,
  String.raw`The specified filename '${NAME}' does not contain an image sequence pattern or a pattern is invalid\.`,
  String.raw`Use a pattern such as %03d for an image sequence or use the -update option[\w ()-]{0,80}\.`,
  String.raw`-t and -to cannot be used together; using -t\.`,
  // Warnings of formats and filters. They contain texts of options.
  String.raw`Selected stream "[\w .,:=|-]{0,80}" not found!`,
  'More than a single video stream present, expect issues decoding it\\.',
  'Input channel layouts overlap: output layout will be determined by the number of distinct input channels',
  // Messages of encoders that do not use ffmpeg's logger.
  String.raw`x26[45] \[(?:info|warning|error)\]: [\w .,:;%()\[\]\/|<+=-]{0,300}`,
  String.raw`Svt\[(?:info|warn|error)\]: [\w .,:;%()\[\]\/|+=\t-]{0,300}`,
  String.raw`Pass \d+ of \d+`,
);

/** Encoders whose lines are only settings and statistics, and never the content of a file. */
const ENCODERS: ReadonlySet<string> = new Set(
  `aac ac3 alac dnxhd eac3 ffv1 flac gif libaom-av1 libfdk_aac libmp3lame libopenh264 libopus librav1e libsvtav1
   libtheora libtwolame libvorbis libvpx libvpx-vp9 libwebp libx264 libx264rgb libx265 libxvid mjpeg mp2 mpeg2video
   mpeg4 opus png prores prores_ks vorbis`.split(/\s+/),
);
const ENCODER_MESSAGE = /^[\w .,:;%()[\]+=/|<>@'-]{1,400}$/u;

const ALLOWED: readonly RegExp[] = [
  ...TEXTS,
  ...[...FILTER_CAUSES, ...ENCODER_CAUSES, ...CONTAINER_CAUSES, ...VAGUE_CAUSES].map(({ shape }) => shape),
];

/** Matches an absolute path at the start of a word: `/etc/x`, `'/etc/x'`, `file:/etc/x`. Does not match `kb/s` or `://`. */
const ABSOLUTE_PATH = /(?:^|[\s'"(=:,[])\/[^\s/]/;

/** True if a line has an allowed form, which contains neither content of a file nor a host path. */
export function isAllowedLogLine(line: LogLine): boolean {
  const { component, text } = line;
  const plainText = text.trimEnd();
  if (ALLOWED.some((shape) => shape.test(plainText)) || isFilterCause(line)) return !ABSOLUTE_PATH.test(text);
  if (component === undefined || !ENCODERS.has(component) || line.level === undefined) return false;
  // x264 logs the URL of its home page. No other allowed line contains a URL.
  const plain = text.replace(' - http://www.videolan.org/x264.html', '').trimEnd();
  return ENCODER_MESSAGE.test(plain) && !ABSOLUTE_PATH.test(plain);
}
