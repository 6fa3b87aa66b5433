import { orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { askOperator, hint } from '@telecine/contract/domain/hint.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from '../failure-rule.ts';

const ENCODINGS =
  'WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia';

const INPUT = String.raw`(in\/[\w./%-]{1,100})`;

/** Failures that a filter explains in the log. For the form of the rules, see `CONTAINER_CAUSES`. */
export const FILTER_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    /^Failed to initialize whisper context from model: in\/speech-model\.bin$/,
    'The speech model of this service could not be loaded.',
    hint`${askOperator('check the file that TELECINE_WHISPER_MODEL names, and the limit "memory"')}.`,
  ),
  ffmpegFailed(
    /^could not load libvmaf model with version: (\w[\w.]{0,60})$/,
    'The installed ffmpeg cannot measure VMAF: its libvmaf was built without the model "$1".',
    'Measure SSIM instead: "quality": {"target": 0.98}, or "measure": ["ssim"].',
  ),
  ffmpegFailed(
    /^Invalid too big or non positive size for width '(-?\d+)' or height '(-?\d+)'$/,
    'The filter crop cannot cut $1x$2 out of the frame: that is larger than the frame, or not positive.',
    'Send a size within the frame; "iw" and "ih" are its width and height: "crop=iw/2:ih/2".',
  ),
  ffmpegFailed(
    /^Padded dimensions cannot be smaller than input dimensions\.$/,
    'The filter pad cannot make a frame smaller: the padded size is less than the frame size.',
    'Scale the video to the size W:H of "pad" before it: "scale=W:H:force_original_aspect_ratio=decrease,pad=W:H:(ow-iw)/2:(oh-ih)/2".',
  ),
  ffmpegFailed(
    /^Input link in(\d+):v\d+ parameters \(size (\d+x\d+), SAR (\d+:\d+)\) do not match the corresponding output link in\d+:v\d+ parameters \((\d+)x(\d+), SAR (\d+:\d+)\)$/,
    'The filter concat needs parts of the same size: a part has $2 (SAR $3), the first has $4x$5 (SAR $6).',
    'Send each part through "scale=$4:$5,setsar=1,fps=25" before concat, or send "join": "encode" instead of the graph.',
  ),
  ffmpegFailed(
    /^Input (\d+) height (\d+) does not match input (\d+) height (\d+)\.$/,
    'Videos side by side need the same height: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=-2:$4", and send both through "fps=25" if their frame rates differ.',
  ),
  ffmpegFailed(
    /^Input (\d+) width (\d+) does not match input (\d+) width (\d+)\.$/,
    'Videos above each other need the same width: input $1 has $2, and input $3 has $4.',
    'Scale one of them first, such as "scale=$4:-2", and send both through "fps=25" if their frame rates differ.',
  ),
  ffmpegFailed(
    /^First input link \w+ parameters \(size (\d+)x(\d+)\) do not match the corresponding second input link \w+ parameters \(size (\d+x\d+)\)$/,
    'The filter needs two inputs of the same frame size: the first has $1x$2, the second $3.',
    'Before this filter, scale the second input: "scale=$1:$2,setsar=1". For xfade, send both through "fps=25,settb=AVTB" too.',
  ),
  ffmpegFailed(
    /^First input link \w+ (timebase|frame rate) \((\d+\/\d+)\) do not match the corresponding second input link \w+ (?:timebase|frame rate) \((\d+\/\d+)\)$/,
    'The filter needs two inputs with the same $1: the first has $2, the second $3.',
    'Send both through "fps=25,settb=AVTB" first.',
  ),
  ffmpegFailed(
    /^(?:The inputs needs to be a constant frame rate|Second input link )/,
    'The filter needs inputs of the same size and constant frame rate.',
    'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with the size of the output.',
  ),
  ffmpegFailed(
    /^Width and height of input videos must be same\.$/,
    'Videos that are compared or blended need the same frame size.',
    'Scale one of them to the size of the other first.',
  ),
  ffmpegFailed(
    /^Input frame sizes do not match \((\d+)x(\d+) vs (\d+x\d+)\)\.$/,
    'The filter needs two inputs of the same frame size: the first has $1x$2, the second $3.',
    'Before this filter, scale the second input: "scale=$1:$2".',
  ),
  inputInvalid(
    /^Stream specifier '' in filtergraph description .{1,20000} matches no streams\.$/,
    'A label of the filtergraph names an input without a stream for its filter: concat takes video, unless it has "v=0".',
    'Name the kind of the streams: "[0:a][1:a]concat=n=2:v=0:a=1[a]" joins audio.',
  ),
  inputInvalid(
    /^Stream specifier ':?(?<stream>[\w:#]{1,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    'A label of the filtergraph, "[N:$1]", names a stream that its input N does not have, or that the filter cannot take.',
    'Probe the inputs to see their streams, and name one that exists: audio ("0:a") for audio filters, and for concat "a=1".',
  ),
  ffmpegFailed(
    /^Cannot find a matching stream for unlabeled input pad (?:\d+ on filter Parsed_)?([a-z]\w*?)(?:_\d+)?$/,
    'The filter $1 has an input without a label, and no stream is left for it.',
    'Give every input of the filter a label, such as "[0:v]", lower its "inputs" or "n" to the number of labels, or send more inputs.',
  ),
  inputInvalid(
    new RegExp(`^Unable to locate subtitle stream in ${INPUT}$`),
    'The file $1 has no subtitles, or fewer subtitle streams than "si" names: it counts them from 0.',
    'Send a file with subtitles, such as .srt or .ass, or a lower "si".',
  ),
  unsupported(
    /^Only text based subtitles are currently supported$/,
    'The filter subtitles draws text, and the subtitles of the file are images.',
    'Draw them with the filter overlay: "filter_complex": "[0:v][0:s:0]overlay=eof_action=pass[v]" and "map": ["[v]","0:a?"].',
  ),
  {
    ...inputInvalid(
      /^Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option$/,
      'The subtitles of an input are not UTF-8.',
      `Save the file as UTF-8, or name its encoding, as "sub_charenc" with the input or "charenc" in the filter subtitles: ${ENCODINGS}.`,
    ),
    isNotUtf8: true,
  },
  unsupported(
    /^Unable to open iconv context with input character encoding "([\w .:+-]{1,60})"$/,
    '"$1" is not the name of a text encoding.',
    `Save the file as UTF-8 and name no encoding, or name its own: ${ENCODINGS}.`,
  ),
  ffmpegFailed(
    /^Unrecognized '(\.\w{1,20})' file type$/,
    'The filter cannot read a file with the extension "$1".',
    'Send a file whose extension is .cube, .3dl, .dat, .m3d or .csp.',
  ),
  ffmpegFailed(
    /^Failed to parse channel map$/,
    'The filter channelmap cannot read its "map".',
    'Send pairs of an input and an output channel: "channelmap=map=FL-FL|FR-FR:channel_layout=stereo".',
  ),
  ffmpegFailed(
    /^Simple filtergraph '.{1,20000}' was expected to have exactly 1 input and 1 output\. However, it had (>?\d+) input\(s\) and (>?\d+) output\(s\)\. .{1,200}$/,
    'A graph in "vf" or "af" has 1 input and 1 output; this one has $1 inputs and $2 outputs.',
    'Send it as "filter_complex", with labels for its inputs and outputs, and "map" for the outputs.',
  ),
  ffmpegFailed(
    /^(?:Cannot connect video filter to audio input|Filtergraph has an? video output, cannot connect it to audio output stream)$/,
    'The audio filters ("af") contain a filter for video.',
    'Send filters for video in "vf".',
  ),
  ffmpegFailed(
    /^(?:Cannot connect audio filter to non audio input|Filtergraph has an? audio output, cannot connect it to video output stream)$/,
    'The video filters ("vf") contain a filter for audio.',
    'Send filters for audio in "af".',
  ),
  ffmpegFailed(
    /^Media type mismatch between the 'Parsed_(\w+?)_\d+' filter output pad \d+ \((\w+)\) and the 'Parsed_(\w+?)_\d+' filter input pad \d+ \((\w+)\)$/,
    'The filter $1 outputs $2, but the filter $3 after it accepts only $4.',
    'Send filters for audio and for video in separate chains.',
  ),
  ffmpegFailed(
    /^Failed to configure output pad on (?:scaler_out_(?:\d+_|#\d+:)\d+|auto_scale_\d+|Parsed_scale_\d+)$/,
    'The video cannot be scaled to the requested size: the size is too large, or not positive.',
    'Send a smaller size.',
  ),
  ffmpegFailed(
    // ffmpeg 7.1 names no filter here. A decoder may log this line and continue, so the rule requires a second line.
    /^Picture size \d+x\d+ is invalid$/,
    'The video cannot be scaled to the requested size: the size is too large, or not positive.',
    'Send a smaller size.',
    /^Error reinitializing filters!$/,
  ),
  ffmpegFailed(
    /^Value (-?[\d.e+]{1,20}) for parameter '(\w{1,60})' out of range \[([\d.e+ -]{1,60})\]$/,
    'The value $1 of "$2" is out of range: $3 is allowed.',
    'Send a value of "$2" within that range.',
  ),
  ffmpegFailed(
    /^Palette input must contain exactly 256 pixels\. Specified input has (\d+x\d+)=\d+ pixels$/,
    'The second input of the filter paletteuse must be a palette of 256 pixels; it is an image of $1.',
    'Make the palette from the video: "split[a][b];[a]palettegen[p];[b][p]paletteuse".',
  ),
  ffmpegFailed(
    /^The Hald CLUT width does not match the level$/,
    'The second input of the filter haldclut is not a Hald CLUT: its size is not that of a colour table.',
    'Send a Hald CLUT image as the second input, such as one of 512x512 pixels.',
    /^Failed to configure input pad on Parsed_haldclut_\d+$/,
  ),
  inputInvalid(
    /^3D LUT is empty$/,
    'The file for the filter lut3d contains no colour table.',
    'Send a complete .cube or .3dl file.',
  ),
  ffmpegFailed(
    /^Could not create a libass track when reading file '(?:file:)?(in\/[\w./%-]{1,100})'$/,
    'The filter ass cannot read $1: it reads only .ass and .ssa files.',
    'Send the filter "subtitles" instead of "ass".',
  ),
  ffmpegFailed(
    /^Invalid out channel name "([\w.=+|-]{0,60})"$/,
    'The filter pan has an output channel that its layout does not have: "$1".',
    'Name each channel of the layout: "pan=stereo|c0=FL|c1=FR", or "FL" and "FR" instead of "c0" and "c1".',
  ),
  ffmpegFailed(
    /^Expected in channel name, got "([\w.=+|-]{0,60})"$/,
    'The filter pan expects the name of an input channel, and got "$1".',
    'Name input channels, such as "c0" or "FL": "pan=1c|c0=0.5*c0+0.5*c1".',
  ),
  ffmpegFailed(
    /^Invalid key point coordinates \((-?[\d.]+);(-?[\d.]+)\), x and y must be in the \[0;1\] range\.$/,
    'The filter curves has the point $1/$2; x and y are from 0 to 1.',
    'Send points in that range: "curves=all=\'0/0 0.5/0.6 1/1\'".',
  ),
  ffmpegFailed(
    /^Key point coordinates \((-?[\d.]+);(-?[\d.]+)\) and \((-?[\d.]+);(-?[\d.]+)\) are too close from each other or not strictly increasing on the x-axis$/,
    'The filter curves has the point $3/$4 after $1/$2: x must rise from point to point.',
    'Send the points in the order of x: "curves=all=\'0/0 0.5/0.6 1/1\'".',
  ),
  ffmpegFailed(
    /^Invalid even size for (luma|chroma|alpha) matrix size (\d+x\d+)$/,
    'The filter unsharp needs odd sizes; the $1 size is $2.',
    'Send odd sizes: "unsharp=5:5:1.0".',
  ),
  ffmpegFailed(
    /^Invalid (luma|chroma|alpha)_param radius value (-?\d+), must be >= 0 and <=? (\d+)$/,
    'The filter boxblur cannot use the $1 radius $2 at this frame size: below $3 is allowed.',
    'Send a smaller radius: "boxblur=10".',
  ),
  ffmpegFailed(
    /^Logo area is outside of the frame\.$/,
    'The area of the filter delogo is not inside the frame.',
    'Send x and y of at least 1, with x + w below the width and y + h below the height: "delogo=x=10:y=10:w=100:h=50".',
  ),
  ffmpegFailed(
    /^(?:Error when evaluating the expression|Invalid string) '([\w.:/*+()-]{1,60})'(?: for aspect ratio)?$/,
    '"$1" is not an aspect ratio.',
    'Send a ratio above 0: "setsar=1", "setdar=16/9".',
    /^Failed to configure output pad on Parsed_set[ds]ar_\d+$/,
  ),
  ffmpegFailed(
    /^Unsupported input (primaries|transfer characteristics|color space|colorspace) \d+ \((\w+)\)$/,
    'The filter colorspace must know the colours of the input, and its $1 are $2.',
    'Name them with "iall": "colorspace=iall=bt709:all=bt709".',
  ),
  ffmpegFailed(
    /^code 3074: no path between colorspaces$/,
    'The filter zscale must know the colours of the input, and the file does not say them all.',
    'Name them first: "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear" (HDR: bt2020, smpte2084, bt2020nc).',
  ),
  ffmpegFailed(
    /^Number of (attacks|delays) (\d+) differs from number of decays (\d+)\.$/,
    'The filter has $2 $1, but $3 decays: each needs one.',
    'Send as many decays as $1, separated by "|": "aecho=0.8:0.9:1000|1800:0.3|0.25".',
  ),
  ffmpegFailed(
    /^(?:Invalid syntax for delay\.|Delay must be non negative number\.)$/,
    'The filter adelay needs a delay of 0 or more milliseconds.',
    'Send milliseconds: "adelay=1000:all=1".',
  ),
  ffmpegFailed(
    /^Invalid value NaN for volume$/,
    'The volume depends on a value that is unknown at the start.',
    'Add "eval=frame" to the filter volume: "volume=volume=\'t/10\':eval=frame".',
  ),
  ffmpegFailed(
    /^input channel '([\w+]{1,20})' not available from input layout '([\w.()+ ]{1,40})'$/,
    'The filter channelmap names the channel $1, which the audio does not have: its layout is $2.',
    'Name channels of $2: "channelmap=map=FL-FL|FR-FR:channel_layout=stereo".',
  ),
  ffmpegFailed(
    /^Transfer function input values must be increasing\.$/,
    'The points of the filter compand are not in order: the levels before the slash must rise.',
    'Send them in order: "compand=points=-80/-80|-20/-15|0/0".',
  ),
  ffmpegFailed(
    /^number of matrix elements must be odd$/,
    'A matrix of the filter convolution has an even number of values.',
    'Send 9, 25 or 49 values: "convolution=0m=\'0 -1 0 -1 5 -1 0 -1 0\'".',
  ),
  ffmpegFailed(
    /^Filtergraph '.{1,20000}' was specified (?:through the -vf\/-af\/-filter option )?for (?:output stream \d+:\d+, which is|a stream) fed from a complex filtergraph\..{0,200}$/,
    'Filters of "vf" or "af" cannot be applied to an output of "filter_complex".',
    'Append those filters to the graph in "filter_complex", and leave "vf" and "af" out.',
  ),
  ffmpegFailed(
    /^Streamcopy requested for output stream (?:\d+:\d+, which is )?fed from a complex filtergraph\. Filtering and streamcopy cannot be used together\.$/,
    'An output of "filter_complex" cannot be copied: it has to be encoded.',
    'Leave "copy" out for it, or send an encoder, such as "c:v": "libx264".',
  ),
  ffmpegFailed(
    /^ochl channel layout "(\d+) channels" is invalid or unsupported\.$/,
    'Audio cannot be mixed to $1 channels.',
    orElse(sendOption('ac', '2'), 'another number up to 8'),
  ),
];
