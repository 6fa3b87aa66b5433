import type { FailureRule } from './failure-rule.ts';

/**
 * Failures whose cause a filter, an encoder or a muxer names in its own words, as ffmpeg 5.1 and 7.1 print them. Each shape
 * matches a whole line, whose variable parts are numbers and names. So these lines are safe to show to a client, and the
 * readable log shows them too.
 */
const rule = (
  shape: RegExp,
  code: FailureRule['code'],
  message: string,
  fix: string,
  requires?: RegExp,
): FailureRule => ({
  shape,
  code,
  message,
  fix,
  ...(requires && { requires }),
});

const ENCODER_NOT_OPENED =
  /^(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder (?:for output stream #\d+:\d+ )?- maybe incorrect parameters such as bit_rate, rate, width or height\.?$/;

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
    'Send each part through "scale=$4:$5,setsar=1,fps=25" before concat.',
  ),
  rule(
    /^Input (\d+) height (\d+) does not match input (\d+) height (\d+)\.$/,
    'FFMPEG_FAILED',
    'Pictures side by side need the same height: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=-2:$4", and send both through "fps=25" if their frame rates differ.',
  ),
  rule(
    /^Input (\d+) width (\d+) does not match input (\d+) width (\d+)\.$/,
    'FFMPEG_FAILED',
    'Pictures above each other need the same width: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=$4:-2", and send both through "fps=25" if their frame rates differ.',
  ),
  rule(
    /^First input link \w+ parameters \(size (\d+)x(\d+)\) do not match the corresponding second input link \w+ parameters \(size (\d+x\d+)\)$/,
    'FFMPEG_FAILED',
    'The filter needs two pictures of the same size: the first has $1x$2, the second $3.',
    'Before this filter, scale the second picture: "scale=$1:$2,setsar=1". For xfade, send both through "fps=25,settb=AVTB" too.',
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
    /^Stream specifier '' in filtergraph description .{1,20000} matches no streams\.$/,
    'INPUT_INVALID',
    'A label of the filtergraph names an input without a stream for its filter: concat takes video, unless it has "v=0".',
    'Name the kind of the streams: "[0:a][1:a]concat=n=2:v=0:a=1[a]" joins sound.',
  ),
  rule(
    /^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    'INPUT_INVALID',
    'A label of the filtergraph names a stream that its input does not have, or that the filter cannot take: ":$1".',
    'Probe the inputs to see their streams, and name one that exists: audio ("0:a") for audio filters, and for concat "a=1".',
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
  rule(
    /^Palette input must contain exactly 256 pixels\. Specified input has (\d+x\d+)=\d+ pixels$/,
    'FFMPEG_FAILED',
    'The second input of the filter paletteuse must be a palette of 256 pixels; it is a picture of $1.',
    'Make the palette from the film: "split[a][b];[a]palettegen[p];[b][p]paletteuse".',
  ),
  rule(
    /^The Hald CLUT width does not match the level$/,
    'FFMPEG_FAILED',
    'The second input of the filter haldclut is not a Hald CLUT: its size is not that of a colour table.',
    'Send a Hald CLUT picture as the second input, such as one of 512x512 pixels.',
    /^Failed to configure input pad on Parsed_haldclut_\d+$/,
  ),
  rule(
    /^3D LUT is empty$/,
    'INPUT_INVALID',
    'The file for the filter lut3d contains no colour table.',
    'Send a complete .cube or .3dl file.',
  ),
  rule(
    /^Could not create a libass track when reading file '(?:file:)?(in\/[\w./%-]{1,100})'$/,
    'FFMPEG_FAILED',
    'The filter ass cannot read $1: it reads only .ass and .ssa files.',
    'Send the filter "subtitles" instead of "ass".',
  ),
  rule(
    /^Invalid out channel name "([\w.=+|-]{0,60})"$/,
    'FFMPEG_FAILED',
    'The filter pan has an output channel that its layout does not have: "$1".',
    'Name each channel of the layout: "pan=stereo|c0=FL|c1=FR", or "FL" and "FR" instead of "c0" and "c1".',
  ),
  rule(
    /^Expected in channel name, got "([\w.=+|-]{0,60})"$/,
    'FFMPEG_FAILED',
    'The filter pan expects the name of an input channel, and got "$1".',
    'Name input channels, such as "c0" or "FL": "pan=1c|c0=0.5*c0+0.5*c1".',
  ),
  rule(
    /^Invalid key point coordinates \((-?[\d.]+);(-?[\d.]+)\), x and y must be in the \[0;1\] range\.$/,
    'FFMPEG_FAILED',
    'The filter curves has the point $1/$2; x and y are from 0 to 1.',
    'Send points in that range: "curves=all=\'0/0 0.5/0.6 1/1\'".',
  ),
  rule(
    /^Key point coordinates \((-?[\d.]+);(-?[\d.]+)\) and \((-?[\d.]+);(-?[\d.]+)\) are too close from each other or not strictly increasing on the x-axis$/,
    'FFMPEG_FAILED',
    'The filter curves has the point $3/$4 after $1/$2: x must rise from point to point.',
    'Send the points in the order of x: "curves=all=\'0/0 0.5/0.6 1/1\'".',
  ),
  rule(
    /^Invalid even size for (luma|chroma|alpha) matrix size (\d+x\d+)$/,
    'FFMPEG_FAILED',
    'The filter unsharp needs odd sizes; the $1 size is $2.',
    'Send odd sizes: "unsharp=5:5:1.0".',
  ),
  rule(
    /^Invalid (luma|chroma|alpha)_param radius value (-?\d+), must be >= 0 and <=? (\d+)$/,
    'FFMPEG_FAILED',
    'The filter boxblur cannot use the $1 radius $2 on this picture: below $3 is allowed.',
    'Send a smaller radius: "boxblur=10".',
  ),
  rule(
    /^Logo area is outside of the frame\.$/,
    'FFMPEG_FAILED',
    'The area of the filter delogo is not inside the picture.',
    'Send x and y of at least 1, with x + w below the width and y + h below the height: "delogo=x=10:y=10:w=100:h=50".',
  ),
  rule(
    /^(?:Error when evaluating the expression|Invalid string) '([\w.:/*+()-]{1,60})'(?: for aspect ratio)?$/,
    'FFMPEG_FAILED',
    '"$1" is not an aspect ratio.',
    'Send a ratio above 0: "setsar=1", "setdar=16/9".',
    /^Failed to configure output pad on Parsed_set[ds]ar_\d+$/,
  ),
  rule(
    /^Unsupported input (primaries|transfer characteristics|color space|colorspace) \d+ \((\w+)\)$/,
    'FFMPEG_FAILED',
    'The filter colorspace must know the colours of the input, and its $1 are $2.',
    'Name them with "iall": "colorspace=iall=bt709:all=bt709".',
  ),
  rule(
    /^code 3074: no path between colorspaces$/,
    'FFMPEG_FAILED',
    'The filter zscale must know the colours of the input, and the file does not say them all.',
    'Name them first: "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear" (HDR: bt2020, smpte2084, bt2020nc).',
  ),
  rule(
    /^Number of (attacks|delays) (\d+) differs from number of decays (\d+)\.$/,
    'FFMPEG_FAILED',
    'The filter has $2 $1, but $3 decays: each needs one.',
    'Send as many decays as $1, separated by "|": "aecho=0.8:0.9:1000|1800:0.3|0.25".',
  ),
  rule(
    /^(?:Invalid syntax for delay\.|Delay must be non negative number\.)$/,
    'FFMPEG_FAILED',
    'The filter adelay needs a delay of 0 or more milliseconds.',
    'Send milliseconds: "adelay=1000:all=1".',
  ),
  rule(
    /^Invalid value NaN for volume$/,
    'FFMPEG_FAILED',
    'The volume depends on a value that is unknown at the start.',
    'Add "eval=frame" to the filter volume: "volume=volume=\'t/10\':eval=frame".',
  ),
  rule(
    /^input channel '([\w+]{1,20})' not available from input layout '([\w.()+ ]{1,40})'$/,
    'FFMPEG_FAILED',
    'The filter channelmap names the channel $1, which the sound does not have: it is $2.',
    'Name channels of $2: "channelmap=map=FL-FL|FR-FR:channel_layout=stereo".',
  ),
  rule(
    /^Transfer function input values must be increasing\.$/,
    'FFMPEG_FAILED',
    'The points of the filter compand are not in order: the levels before the slash must rise.',
    'Send them in order: "compand=points=-80/-80|-20/-15|0/0".',
  ),
  rule(
    /^number of matrix elements must be odd$/,
    'FFMPEG_FAILED',
    'A matrix of the filter convolution has an even number of values.',
    'Send 9, 25 or 49 values: "convolution=0m=\'0 -1 0 -1 5 -1 0 -1 0\'".',
  ),
  rule(
    /^Filtergraph '.{1,20000}' was specified (?:through the -vf\/-af\/-filter option )?for (?:output stream \d+:\d+, which is|a stream) fed from a complex filtergraph\..{0,200}$/,
    'FFMPEG_FAILED',
    'Filters of "vf" or "af" cannot be applied to an output of "filter_complex".',
    'Append those filters to the graph in "filter_complex", and leave "vf" and "af" out.',
  ),
  rule(
    /^Streamcopy requested for output stream (?:\d+:\d+, which is )?fed from a complex filtergraph\. Filtering and streamcopy cannot be used together\.$/,
    'FFMPEG_FAILED',
    'An output of "filter_complex" cannot be copied: it has to be encoded.',
    'Leave "copy" out for it, or send an encoder, such as "c:v": "libx264".',
  ),
  rule(
    /^ochl channel layout "(\d+) channels" is invalid or unsupported\.$/,
    'FFMPEG_FAILED',
    'Sound cannot be mixed to $1 channels.',
    'Send "ac": "2", or another number up to 8.',
  ),
];

export const ENCODER_CAUSES: readonly FailureRule[] = [
  rule(
    /^x264 \[error\]: (\w+) profile doesn't support lossless$/,
    'FFMPEG_FAILED',
    'The profile $1 does not support lossless encoding ("qp" or "crf" 0).',
    'Leave the profile out, or send "crf": "23" instead of 0.',
    /^Error setting profile \w+\.$/,
  ),
  rule(
    /^(?:width and height must be (?:a multiple|multiples) of|Dimensions must be divisible by|width must be multiple of) (\d+)$/,
    'FFMPEG_FAILED',
    'The encoder needs a width and height that are multiples of $1.',
    'Send "vf": "scale=trunc(iw/$1)*$1:trunc(ih/$1)*$1" instead of "s".',
  ),
  rule(
    /^(?:width and height must be multiples of four \(got (\d+x\d+)\)|Video size (\d+x\d+) is not multiple of 4\.)$/,
    'FFMPEG_FAILED',
    'The encoder needs a width and height that are multiples of 4; the picture has $1$2.',
    'Send "vf": "scale=trunc(iw/4)*4:trunc(ih/4)*4" instead of "s".',
  ),
  rule(
    /^(?:\w+ needs even width|Width must be even for this colorspace\.|4:2:[02] video requires even width(?: and height)?\.|Xvid: Could not create encoder reference)$/,
    'FFMPEG_FAILED',
    'The encoder needs an even width and height.',
    'Send "vf": "scale=trunc(iw/2)*2:trunc(ih/2)*2" instead of "s".',
  ),
  rule(
    /^x265 \[error\]: Picture (?:width|height) must be an integer multiple of the specified chroma subsampling$/,
    'FFMPEG_FAILED',
    'The encoder libx265 needs an even width and height.',
    'Choose an even width and height. In "scale", -2 keeps the aspect ratio and rounds to an even number.',
    /^Cannot open libx265 encoder\.$/,
  ),
  rule(
    /^x265 \[error\]: Constant rate-factor is incompatible with 2pass[\w -]{0,80}$/,
    'FFMPEG_FAILED',
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    'Send "b:v": "1M" without "crf" and "qp", or leave "pass" out.',
    /^Cannot open libx265 encoder\.$/,
  ),
  rule(
    /^Invalid channel layout ([\w.()]{1,40}) for specified mapping family -?\d+\.$/,
    'FFMPEG_FAILED',
    'The encoder libopus does not take the channel layout $1.',
    'Send "af": "aformat=channel_layouts=7.1|5.1|stereo|mono", or "ac": "2".',
  ),
  rule(
    /^Unsupported channel layout "([\w.()+ ]{1,200})"$/,
    'FFMPEG_FAILED',
    'The encoder does not support the channel layout $1.',
    'Send "ac": "2", or another number of channels that is usual.',
  ),
  rule(
    /^too many channels: got (\d+), need (\d+) or fewer$/,
    'FFMPEG_FAILED',
    'The encoder supports $2 channels, and the sound has $1.',
    'Send "ac": "$2".',
  ),
  rule(
    /^([\w-]{1,20}) video does not support resolutions above (\d+x\d+)$/,
    'FFMPEG_FAILED',
    '$1 does not support pictures above $2.',
    'Send a smaller size.',
  ),
  rule(
    /^Input contains \(near\) NaN\/\+-Inf$/,
    'FFMPEG_FAILED',
    'The audio filters make samples that are not numbers, so the sound cannot be encoded.',
    'Change or leave out the audio filters ("af") one by one.',
  ),
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
    'Name an encoder whose codec the format holds, such as "c:a": "aac" in .3gp, or send another format, such as .m4a.',
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

/** The fix for a codec that the format cannot hold. */
export const OTHER_CODEC =
  'Leave "c" out, so that the streams are encoded for the format, or send an output that ends in .mkv, which holds nearly every codec.';

export const CONTAINER_CAUSES: readonly FailureRule[] = [
  rule(
    // These formats hold the codec as a film; what they reject is a cover.
    /^Could not find tag for codec (h264|hevc) in stream #\d+, codec not currently supported in container$/,
    'UNSUPPORTED',
    '$format cannot hold a cover that is encoded as $1.',
    'Send "c:v": "copy" to keep the cover, or "vn": "" to leave it out.',
  ),
  rule(
    /^Could not find tag for codec (subrip|ass|webvtt) in stream #\d+, codec not currently supported in container$/,
    'UNSUPPORTED',
    '$format cannot hold $1 subtitles.',
    'Send "c:s": "mov_text" beside the other codecs, or "sn": "" to leave the subtitles out.',
  ),
  rule(
    /^Could not find tag for codec none in stream #\d+, codec not currently supported in container$/,
    'UNSUPPORTED',
    '$format cannot hold the data streams of the input, such as a time code.',
    'Send "dn": "" to leave them out.',
  ),
  rule(
    /^Only audio, video, and subtitles are supported for Matroska\.$/,
    'UNSUPPORTED',
    '$format cannot hold the data streams of the input, such as a time code.',
    'Send "dn": "" to leave them out.',
  ),
  rule(
    /^(Only [\w ,]{1,150} are supported for WebM)\.$/,
    'UNSUPPORTED',
    '$1. The request makes $codecs.',
    'Leave "c" out, or send "c:v": "libvpx-vp9", "c:a": "libopus" and "c:s": "webvtt". A .mkv holds nearly every codec.',
  ),
  rule(
    /^Could not find tag for codec ([\w.,:+-]{1,60}) in stream #\d+, codec not currently supported in container$/,
    'UNSUPPORTED',
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  rule(
    /^Subtitle codec \d+ is not supported\.$/,
    'UNSUPPORTED',
    '$format cannot hold subtitles of this codec: the request makes $codecs.',
    'Send "c:s": "srt", or "sn": "" to leave the subtitles out.',
  ),
  rule(
    /^Subtitle streams other than DivX XSUB is not implemented\..{0,200}$/,
    'UNSUPPORTED',
    '$format cannot hold subtitles.',
    'Send "sn": "" to leave the subtitles out, or an output that ends in .mkv.',
  ),
  rule(
    /^(\w{1,30}) only supported in MP4\.$/,
    'UNSUPPORTED',
    '$format cannot hold $1: among its relatives, only MP4 can.',
    'Send an output that ends in .mp4, or leave "c" out, so that the streams are encoded for the format.',
  ),
  rule(
    /^(\w{1,30}) in MP4 support is experimental, add '-strict -2' if you want to use it\.$/,
    'UNSUPPORTED',
    'MP4 holds $1 only as an experiment, on request.',
    'Leave "c" out, so that the sound is encoded as AAC, or send "strict": "experimental" in "parameters".',
  ),
  rule(
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter 'pcm_rechunk'\..{1,400}$/,
    'UNSUPPORTED',
    '$format cannot hold $1: its sound is PCM.',
    'Leave "c:a" out, or send "c:a": "pcm_s16le".',
  ),
  rule(
    /^(?:Can't initialize DV format!|Invalid codec for video stream, only DVVIDEO is supported\.)$/,
    'UNSUPPORTED',
    'DV has fixed codecs, sizes and frame rates, and the request makes $codecs.',
    'Send "target": "pal-dv" or "ntsc-dv", which sets all of them, and leave "c" out.',
  ),
  rule(
    /^ERROR: yuv4mpeg can only handle (yuv444p, yuv422p, yuv420p, yuv411p and gray8) pixel formats\..{0,600}$/,
    'UNSUPPORTED',
    '$format supports only the pixel formats $1.',
    'Send "pix_fmt": "yuv420p".',
  ),
  rule(
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) \(\d+\) ?(?:\w+ \(\d+\) ?){0,20}$/,
    'UNSUPPORTED',
    'The bitstream filter $2 does not accept the codec $1, only $3.',
    'Leave the bitstream filter out. ffmpeg adds those that the format needs.',
  ),
  rule(
    /^Invalid audio stream\. Exactly one (\w+) audio stream is required\.$/,
    'UNSUPPORTED',
    '$format cannot hold $codecs: it holds exactly one audio stream, $1.',
    OTHER_CODEC,
  ),
  rule(
    /^(?:Unsupported codec id in stream \d+|[Uu]nsupported codec|block align not set|Exactly one WebVTT stream is needed\.)$/,
    'UNSUPPORTED',
    '$format cannot hold $codecs.',
    OTHER_CODEC,
  ),
  rule(
    /^(?:GIF muxer supports only a single video GIF stream\.|gif muxer supports only codec gif for type video)$/,
    'UNSUPPORTED',
    'A GIF holds one video stream with the codec gif; the request makes $codecs.',
    'Leave "c" and "map" out, so that the video is encoded as a GIF.',
  ),
  rule(
    /^(\w+) muxer supports only codec (\w+) for type (\w+)$/,
    'UNSUPPORTED',
    '$format cannot hold $codecs: as $3 it holds only $2.',
    OTHER_CODEC,
  ),
  rule(
    /^Unsupported (audio|video) codec\. Must be one of ([\w ,-]{1,150})\.$/,
    'UNSUPPORTED',
    '$format cannot hold the $1 codec: the request makes $codecs. It holds $2.',
    OTHER_CODEC,
  ),
  rule(
    /^Currently only (VP8, VP9 and AV1) are supported!$/,
    'UNSUPPORTED',
    '$format cannot hold $codecs: it holds only $1.',
    OTHER_CODEC,
  ),
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
    /^Option loop not found\.$/,
    'UNSUPPORTED',
    'Only pictures have the option "loop".',
    'Leave "loop" out. To repeat a film, send "stream_loop": "-1" with it in "inputs", and "t".',
  ),
  rule(
    /^Option (?:sample_rate|ch_layout|channels) not found\.$/,
    'UNSUPPORTED',
    'Only raw sound needs "ar" and "ac" with the input; this input names them itself.',
    'Send "ar" and "ac" in "parameters" of the request, for the output, and leave them out of the input.',
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
    /^(\w{1,20}) does not support (?:that )?sample rate(?: \d+)?, choose from \(([\d, ]{1,60})\)\.?$/i,
    'UNSUPPORTED',
    'The format $1 supports only these sample rates: $2.',
    'Send "ar": "44100".',
  ),
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
    /^Bitrate (\d+) is extremely low, maybe you mean \d+k$/,
    'FFMPEG_FAILED',
    'The bit rate is $1 bits per second, which is far too low.',
    'Send the bit rate with a unit: "b:a": "128k", "b:v": "1M".',
    ENCODER_NOT_OPENED,
  ),
  rule(
    /^The encoder timebase is not set\.$/,
    'FFMPEG_FAILED',
    'The filters give the encoder nothing that it can encode: a frame rate of 0, or pictures in place of sound.',
    'Send a frame rate above 0, and filters that draw sound (such as showwaves) in "filter_complex".',
    ENCODER_NOT_OPENED,
  ),
  rule(
    /^Header missing$/,
    'INPUT_INVALID',
    'The sound of an input cannot be decoded: it is damaged, or another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
  rule(
    new RegExp(`^Error while parsing expression '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'The expression "$1" is incomplete, or a function in it has too few arguments.',
    'Complete it: "select=gt(scene\\,0.4)".',
  ),
  rule(
    /^Error initializing filter '(\w{1,60})'(?: with args '.{1,20000}')?$/,
    'FFMPEG_FAILED',
    'The filter $1 rejected its options$reason.',
    'Correct the options of $1, or leave the filter out.',
  ),
  rule(
    // Since ffmpeg 7, no line names the filter.
    /^Error initializing filters$/,
    'FFMPEG_FAILED',
    'A filter rejected its options$reason.',
    'Correct the options of the filter, or leave it out.',
  ),
  rule(
    /^Failed to configure (?:input|output) pad on Parsed_(\w{1,60}?)_\d+$/,
    'FFMPEG_FAILED',
    'The filter $1 cannot use its input with these options$reason.',
    'Correct the options of $1 for this input, or leave the filter out.',
  ),
  rule(
    /^Could not write header(?: for output file #\d+)? \(incorrect codec parameters \?\): [A-Z][\w ,/-]{1,80}$/,
    'FFMPEG_FAILED',
    '$format rejected its streams: $codecs.',
    OTHER_CODEC,
  ),
  rule(
    ENCODER_NOT_OPENED,
    'FFMPEG_FAILED',
    'The encoder rejected its settings: the bit rate, frame rate, size, pixel format, sample rate or channels$reason.',
    'Leave the options of the encoder out one by one, or choose another encoder.',
  ),
];
