import { askOperator, hint } from '@telecine/contract/domain/hint.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from '../failure-rule.ts';

const ENCODINGS =
  'WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia';

const INPUT = String.raw`(in\/[\w./%-]{1,100})`;

/** Failures of filters that ffmpeg's own words do not explain. The others have those words in the message, by `VAGUE_CAUSES`. */
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
  {
    ...ffmpegFailed(
      /^Failed to configure (?:input|output) pad on Parsed_(concat|[hvx]stack|xfade|\w*blend|lut2|ssim|psnr|identity|msad|xpsnr|libvmaf|\w*merge\w*)_\d+$/,
      'The filter $1 needs inputs of the same frame size, frame rate and time base$filterReason.',
      'Before this filter, send each input through "scale=1280:720,setsar=1,fps=25,settb=AVTB", with one size for all.',
      /do(?:es)? not match|must be (?:the )?same|must match|constant frame rate/,
    ),
    isUnlike: true,
  },
  inputInvalid(
    /^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    'A label of the filtergraph names a stream that its input does not have, or that the filter cannot take ("$1").',
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
      `Save the file as UTF-8, or name its encoding, as "sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles: ${ENCODINGS}.`,
    ),
    isNotUtf8: true,
  },
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
    /^code 3074: no path between colorspaces$/,
    'The filter zscale must know the colours of the input, and the file does not say them all.',
    'Name them first: "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,zscale=t=linear" (HDR: bt2020, smpte2084, bt2020nc).',
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
];
