import type { FailureRule } from './failure-rule.ts';

/**
 * Failures whose cause a filter, an encoder or a muxer names in its own words, as ffmpeg 5.1 and 7.1 print them. Each shape
 * matches a whole line, whose variable parts are numbers and names. So these lines are safe to show to a client, and the
 * readable log shows them too.
 */
const rule = (shape: RegExp, code: FailureRule['code'], message: string, fix: string): FailureRule => ({
  shape,
  code,
  message,
  fix,
});

const INPUT = String.raw`(in\/[\w./%-]{1,100})`;
/** Matches options and expressions of the client, but no path. */
const TEXT = String.raw`[\w .,:;%()+*<>=^|-]{0,200}`;

export const FILTER_CAUSES: readonly FailureRule[] = [
  rule(
    /^Invalid too big or non positive size for width '(-?\d+)' or height '(-?\d+)'$/,
    'FFMPEG_FAILED',
    'The filter crop cannot cut $1x$2 out of the picture: that is larger than the picture, or not positive.',
    'Send a size within the picture; "iw" and "ih" are its width and height: "crop=iw/2:ih/2".',
  ),
  rule(
    /^Padded dimensions cannot be smaller than input dimensions\.$/,
    'FFMPEG_FAILED',
    'The filter pad cannot make a picture smaller: the padded size is less than the size of the picture.',
    'Scale the picture to the size W:H of "pad" before it: "scale=W:H:force_original_aspect_ratio=decrease,pad=W:H:(ow-iw)/2:(oh-ih)/2".',
  ),
  rule(
    /^Input link in(\d+):v\d+ parameters \(size (\d+x\d+), SAR (\d+:\d+)\) do not match the corresponding output link in\d+:v\d+ parameters \((\d+)x(\d+), SAR (\d+:\d+)\)$/,
    'FFMPEG_FAILED',
    'The filter concat needs parts of the same size: a part has $2 (SAR $3), the first has $4x$5 (SAR $6).',
    'Give each part the same size before concat: "scale=$4:$5,setsar=1".',
  ),
  rule(
    /^Input (\d+) height (\d+) does not match input (\d+) height (\d+)\.$/,
    'FFMPEG_FAILED',
    'Pictures side by side need the same height: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=-2:$4".',
  ),
  rule(
    /^Input (\d+) width (\d+) does not match input (\d+) width (\d+)\.$/,
    'FFMPEG_FAILED',
    'Pictures above each other need the same width: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=$4:-2".',
  ),
  rule(
    /^First input link \w+ parameters \(size (\d+)x(\d+)\) do not match the corresponding second input link \w+ parameters \(size (\d+x\d+)\)$/,
    'FFMPEG_FAILED',
    'The filter needs two pictures of the same size: the first has $1x$2, the second $3.',
    'Before this filter, scale the second picture: "scale=$1:$2,setsar=1".',
  ),
  rule(
    /^First input link \w+ (timebase|frame rate) \((\d+\/\d+)\) do not match the corresponding second input link \w+ (?:timebase|frame rate) \((\d+\/\d+)\)$/,
    'FFMPEG_FAILED',
    'The filter needs two inputs with the same $1: the first has $2, the second $3.',
    'Send both through "fps=25,settb=AVTB" first.',
  ),
  rule(
    /^Width and height of input videos must be same\.$/,
    'FFMPEG_FAILED',
    'The filter needs two pictures of the same size.',
    'Scale one of them to the size of the other first.',
  ),
  rule(
    /^Input frame sizes do not match \((\d+)x(\d+) vs (\d+x\d+)\)\.$/,
    'FFMPEG_FAILED',
    'The filter needs two pictures of the same size: the first has $1x$2, the second $3.',
    'Before this filter, scale the second picture: "scale=$1:$2".',
  ),
  rule(
    /^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    'INPUT_INVALID',
    'A label of the filtergraph names a stream that its input does not have: ":$1".',
    'Probe the inputs to see their streams, and name one that exists.',
  ),
  rule(
    /^Cannot find a matching stream for unlabeled input pad (?:\d+ on filter Parsed_)?([a-z]\w*?)(?:_\d+)?$/,
    'FFMPEG_FAILED',
    'The filter $1 has an input without a label, and no stream is left for it.',
    'Give every input of the filter a label, such as "[0:v]", or send more inputs.',
  ),
  rule(
    new RegExp(`^Unable to locate subtitle stream in ${INPUT}$`),
    'INPUT_INVALID',
    'The file $1 has no subtitles.',
    'Send a file with subtitles, such as .srt or .ass.',
  ),
  rule(
    /^Unrecognized '(\.\w{1,20})' file type$/,
    'FFMPEG_FAILED',
    'The filter cannot read a file with the extension "$1".',
    'Send a file whose extension is .cube, .3dl, .dat, .m3d or .csp.',
  ),
  rule(
    /^Failed to parse channel map$/,
    'FFMPEG_FAILED',
    'The filter channelmap cannot read its "map".',
    'Send pairs of an input and an output channel: "channelmap=map=FL-FL|FR-FR:channel_layout=stereo".',
  ),
  rule(
    /^Simple filtergraph '.{1,20000}' was expected to have exactly 1 input and 1 output\. However, it had (>?\d+) input\(s\) and (>?\d+) output\(s\)\. .{1,200}$/,
    'FFMPEG_FAILED',
    'A graph in "vf" or "af" has 1 input and 1 output; this one has $1 inputs and $2 outputs.',
    'Send it as "filter_complex", with labels for its inputs and outputs, and "map" for the outputs.',
  ),
  rule(
    /^(?:Cannot connect video filter to audio input|Filtergraph has an? video output, cannot connect it to audio output stream)$/,
    'FFMPEG_FAILED',
    'The audio filters ("af") contain a filter for video.',
    'Send filters for video in "vf".',
  ),
  rule(
    /^(?:Cannot connect audio filter to non audio input|Filtergraph has an? audio output, cannot connect it to video output stream)$/,
    'FFMPEG_FAILED',
    'The video filters ("vf") contain a filter for audio.',
    'Send filters for audio in "af".',
  ),
  rule(
    /^Media type mismatch between the 'Parsed_(\w+?)_\d+' filter output pad \d+ \((\w+)\) and the 'Parsed_(\w+?)_\d+' filter input pad \d+ \((\w+)\)$/,
    'FFMPEG_FAILED',
    'The filter $1 outputs $2, but the filter $3 after it accepts only $4.',
    'Send filters for audio and for video in separate chains.',
  ),
  rule(
    /^Failed to configure output pad on (?:scaler_out_(?:\d+_|#\d+:)\d+|auto_scale_\d+|Parsed_scale_\d+)$/,
    'FFMPEG_FAILED',
    'The picture cannot be scaled to the requested size: it is too large, or not positive.',
    'Send a smaller size.',
  ),
  {
    // ffmpeg 7.1 does not name the filter. A decoder prints this line too, but does not end the conversion.
    shape: /^Picture size \d+x\d+ is invalid$/,
    requires: /^Error reinitializing filters!$/,
    code: 'FFMPEG_FAILED',
    message: 'The picture cannot be scaled to the requested size: it is too large, or not positive.',
    fix: 'Send a smaller size.',
  },
  rule(
    /^Value (-?[\d.e+]{1,20}) for parameter '(\w{1,60})' out of range \[([\d.e+ -]{1,60})\]$/,
    'FFMPEG_FAILED',
    'The value $1 of "$2" is out of range: $3 is allowed.',
    'Send a value of "$2" within that range.',
  ),
];

export const ENCODER_CAUSES: readonly FailureRule[] = [
  rule(
    /^(?:Error setting profile (\w+)\.|Invalid or incompatible profile set: \w+\.)$/,
    'FFMPEG_FAILED',
    'The profile of the encoder does not allow the pixel format of the picture.',
    'Send "pix_fmt": "yuv420p", or leave the profile out.',
  ),
  rule(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (\w+) \(codec (\w+)\) is probably disabled\. Please choose an encoder manually\.$/,
    'UNSUPPORTED',
    'The format $1 gets $2 by default, and this ffmpeg has no encoder for it.',
    'Name an encoder, such as "c:a": "aac", or leave such streams out ("an", "vn", "sn").',
  ),
  rule(
    /^The specified picture size of (\d+x\d+) is not valid for the ([\w.]+) codec\.$/,
    'FFMPEG_FAILED',
    'The codec $2 does not support the picture size $1.',
    'Send "s": "352x288".',
  ),
  rule(
    /^Found no DV profile for (\d+x\d+) (\w+) video\. Valid DV profiles are:$/,
    'FFMPEG_FAILED',
    'DV does not support $1 with $2: it has fixed sizes, pixel formats and frame rates.',
    'Send "target": "pal-dv" or "ntsc-dv", which sets all of them.',
  ),
  rule(
    /^MPEG-1\/2 does not support (\d+)\/(\d+) fps$/,
    'FFMPEG_FAILED',
    'MPEG-1 and MPEG-2 do not support the frame rate $1/$2.',
    'Send "r": "25", or another of 24, 25, 30, 50 and 60.',
  ),
  rule(
    /^video parameters incompatible with DNxHD\. Valid DNxHD profiles:$/,
    'FFMPEG_FAILED',
    'DNxHD has fixed sizes, bit rates and pixel formats, and the picture fits none.',
    'Send "profile:v": "dnxhr_hq" with "pix_fmt": "yuv422p", which allows any size.',
  ),
  rule(
    /^Slice size is bigger than the image!$/,
    'FFMPEG_FAILED',
    'The picture is too small for this encoder.',
    'Send a larger size.',
  ),
  rule(
    /^encoder setup failed$/,
    'FFMPEG_FAILED',
    'The encoder rejected the combination of bit rate, sample rate and channels.',
    'Send "q:a": "4" instead of "b:a", or a bit rate that is usual for the channels.',
  ),
  rule(
    /^bitrate (\d+) is not allowed in (\w+)$/,
    'FFMPEG_FAILED',
    'The encoder $2 has fixed bit rates, and $1k is not one of them.',
    'Send "b:a": "192k", or another of 128k, 160k, 224k, 256k, 320k and 384k.',
  ),
  rule(
    /^bitrate not specified$/,
    'FFMPEG_FAILED',
    'The bit rate is below 1000 bits per second, or missing.',
    'Send "b:v": "1M", or "crf": "23" instead.',
  ),
  rule(
    /^CRF\/CQP is incompatible with 2pass\.$/,
    'FFMPEG_FAILED',
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    'Send "b:v": "1M" without "crf" and "qp", or leave "pass" out.',
  ),
  rule(
    /^Error setting encoder parameters: bad parameter \(0x[0-9a-f]{8}\)$/,
    'FFMPEG_FAILED',
    'The encoder rejected a parameter: usually the picture is too small, or a value is out of range.',
    'Send a picture of at least 64x64, and leave options of the encoder out one by one.',
  ),
  rule(
    /^Picture size is too large\. Max is (\d+x\d+)\.$/,
    'FFMPEG_FAILED',
    'The picture is too large for this encoder: at most $1.',
    'Send a smaller size.',
  ),
  rule(
    /^bitrate above max bitrate$/,
    'FFMPEG_FAILED',
    '"b:v" is above "maxrate". Without "b:v", this encoder uses 200k.',
    'Send a "maxrate" above "b:v", such as "b:v": "2M" with "maxrate": "3M" and "bufsize": "4M".',
  ),
  rule(
    /^The (\w+) profile requires experimental compliance, add -strict -2 to enable!$/,
    'FFMPEG_FAILED',
    'The profile is experimental, and ffmpeg uses it only on request.',
    'Leave "profile:a" out, or send "strict": "experimental" in "parameters".',
  ),
  rule(
    /^Error while opening decoder(?: for input stream #\d+:\d+ )?: Invalid data found when processing input$/,
    'INPUT_INVALID',
    'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
  rule(
    /^(?:Value inf for parameter 'time_base' out of range \[[\d.e+ -]{1,40}\]|Neither number of channels nor channel layout specified|Sample rate (?:0 invalid|not set))$/,
    'INPUT_INVALID',
    'The sound of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    'Leave "f" out of the options of the input. Raw sound needs "ar" and "ac" there.',
  ),
  rule(
    /^Invalid aspect ratio: ([\d:.]{1,20})$/,
    'FFMPEG_FAILED',
    '"$1" is not an aspect ratio.',
    'Send "aspect": "16:9".',
  ),
  rule(
    /^-to value smaller than -ss; aborting\.$/,
    'FFMPEG_FAILED',
    'The end ("to") is before the start ("ss").',
    'Send a "to" after "ss", or "t" with a length.',
  ),
  rule(
    /^Picture size 0x0 is invalid$/,
    'INPUT_INVALID',
    'The size of the pictures in an input is unknown: raw video needs it as an option; any other file is damaged.',
    'For raw video, send "video_size": "640x480" and "pixel_format": "yuv420p" with the input.',
  ),
];

const OTHER_CODEC =
  'Leave "c" or the codec out, so that the format gets a codec that it holds, or send another format.';

export const CONTAINER_CAUSES: readonly FailureRule[] = [
  rule(
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) \(\d+\) ?(?:\w+ \(\d+\) ?){0,20}$/,
    'UNSUPPORTED',
    'The bitstream filter $2 does not accept the codec $1, only $3.',
    'Leave the bitstream filter out. ffmpeg adds those that the format needs.',
  ),
  rule(
    /^Invalid audio stream\. Exactly one (\w+) audio stream is required\.$/,
    'UNSUPPORTED',
    'The format holds exactly one audio stream, with the codec $1.',
    OTHER_CODEC,
  ),
  rule(
    /^Unsupported codec id in stream \d+$/,
    'UNSUPPORTED',
    'The format does not support the codec of a stream.',
    OTHER_CODEC,
  ),
  rule(
    /^(?:GIF muxer supports only a single video GIF stream\.|gif muxer supports only codec gif for type video)$/,
    'UNSUPPORTED',
    'A GIF holds one video stream with the codec gif.',
    'Leave "c" and "map" out, so that the video is encoded as a GIF.',
  ),
  rule(
    /^(\w+) muxer supports only codec (\w+) for type (\w+)$/,
    'UNSUPPORTED',
    'The format $1 holds only $2 as $3.',
    OTHER_CODEC,
  ),
  rule(
    /^Unsupported (audio|video) codec\. Must be one of ([\w ,-]{1,150})\.$/,
    'UNSUPPORTED',
    'The format does not support the $1 codec. It supports $2.',
    OTHER_CODEC,
  ),
  rule(/^Currently only (VP8, VP9 and AV1) are supported!$/, 'UNSUPPORTED', 'The format holds only $1.', OTHER_CODEC),
  rule(
    /^Unable to map stream at ([avs]:\d+)$/,
    'FFMPEG_FAILED',
    '"var_stream_map" names the stream $1, which the output does not have.',
    'Send a "map" for each stream that "var_stream_map" names: "map": ["0:v", "0:a", "0:v", "0:a"] for two variants.',
  ),
  rule(
    /^Selected stream "(\d+)" not found!$/,
    'FFMPEG_FAILED',
    '"adaptation_sets" names the stream $1, which the output does not have.',
    'Name streams of the output, counted from 0, or "v" and "a" for all: "id=0,streams=v id=1,streams=a".',
  ),
  rule(
    /^Tag (\w{4}) incompatible with output codec id '\d+' \((\w{4})\)$/,
    'UNSUPPORTED',
    'The format does not allow the tag $1 for this codec.',
    'Send the tag "$2", or leave it out.',
  ),
  rule(
    /^Stream specifier ([\w:#]{1,40}) does not match {1,2}any streams\.$/,
    'INPUT_INVALID',
    '"map_metadata" names a stream that does not exist: $1.',
    'Probe the inputs to see their streams, and name one that exists.',
  ),
  rule(
    /^mapchan: stream #(\d+\.\d+) is not an audio stream\.$/,
    'INPUT_INVALID',
    '"map_channel" names the stream $1, which is not audio.',
    'Probe the input for the number of its audio stream: "map_channel": "0.1.0" is channel 0 of stream 1.',
  ),
  rule(
    /^Option (\w{1,60}) not found\.$/,
    'UNSUPPORTED',
    'The format of the input or output has no option "$1".',
    'Leave "$1" out. "s" sets the size of the output, "r" its frame rate.',
  ),
];

/** Used if no other rule names the cause: these lines name only what failed. */
export const VAGUE_CAUSES: readonly FailureRule[] = [
  rule(
    /^Undefined constant or missing '\(' in ''$/,
    'FFMPEG_FAILED',
    'An expression is incomplete: a number or a name is missing.',
    'Complete the expression, such as "iw/2", or send a plain number.',
  ),
  rule(
    new RegExp(`^Undefined constant or missing '\\(' in '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'An expression has a name that ffmpeg does not know here: "$1".',
    'Send a number, or names that the filter or option knows, such as "iw", "ih" or "t".',
  ),
  rule(
    new RegExp(`^Invalid chars '(${TEXT})' at the end of expression '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'The expression "$2" ends with "$1", which ffmpeg does not understand.',
    'Leave "$1" out of it.',
  ),
  rule(
    new RegExp(`^Missing '\\)'(?: or too many args)? in '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'A bracket is missing in an expression, or a function has too many arguments: "$1".',
    'Close each bracket.',
  ),
  rule(
    /^Error initializing filter '(\w{1,60})'(?: with args '.{1,20000}')?$/,
    'FFMPEG_FAILED',
    'The filter $1 rejected its options.',
    'Read the log of the job, and compare the options with those that the filter has.',
  ),
  rule(
    /^Failed to configure (?:input|output) pad on Parsed_(\w{1,60}?)_\d+$/,
    'FFMPEG_FAILED',
    'The filter $1 or its options do not fit its input.',
    'Read the log of the job, and compare the options with the size and format of the input.',
  ),
  rule(
    /^Could not write header(?: for output file #\d+)? \(incorrect codec parameters \?\): (?:Invalid argument|Invalid data found when processing input)$/,
    'FFMPEG_FAILED',
    'The output format rejected the streams: most likely it does not support one of their codecs.',
    OTHER_CODEC,
  ),
  rule(
    /^(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder (?:for output stream #\d+:\d+ )?- maybe incorrect parameters such as bit_rate, rate, width or height\.?$/,
    'FFMPEG_FAILED',
    'The encoder rejected its settings: the bit rate, frame rate, size, pixel format, sample rate or channels.',
    'Leave its options out one by one, or choose another encoder.',
  ),
];
