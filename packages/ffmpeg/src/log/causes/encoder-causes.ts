import {
  addOption,
  type Edits,
  leaveOut,
  orElse,
  sendMembers,
  sendOption,
  withMore,
} from '@telecine/contract/domain/edit.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from '../failure-rule.ts';

/** Matches errors that x264 and x265 print themselves, without a level. A rule for them must require a line of ffmpeg too. */
export const ENCODER_LIBRARY_LINE = /^x26[45] \[error\]: [\w .,:'()-]{1,200}$/;

/** Chroma subsamplings that some profiles do not allow, each with a profile of x264 and one of x265 that allow it. */
const CHROMA = [
  ['400', 'high', 'main444-10'],
  ['422', 'high422', 'main422-10'],
  ['444', 'high444', 'main444-10'],
] as const;

/** Returns the fix that sends a scaling filter instead of the option `s`. */
const insteadOfSize = (filter: string): Edits => withMore(sendOption('vf', filter), { do: 'remove', name: 's' });

/** The fix for two passes with `crf` or `qp`, which need a bit rate. */
const RATE_OF_PASSES: Edits = {
  edits: [...sendOption('b:v', '1M').edits, { do: 'remove', name: 'crf' }, { do: 'remove', name: 'qp' }],
  or: leaveOut('pass'),
};

const PLAYABLE = sendOption('pix_fmt', 'yuv420p');

/** The exit code of ffmpeg if too many packets fail to decode (`max_error_rate`; ffmpeg.c, 5.1 to 8). */
const DECODING_FAILED = 69;

/** Failures that an encoder explains in the log. For the form of the rules, see `CONTAINER_CAUSES`. */
export const ENCODER_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    /^x264 \[error\]: (\w+) profile doesn't support lossless$/,
    'The profile $1 does not support lossless encoding ("qp" or "crf" 0).',
    'Leave the profile out for lossless encoding, or send a "crf" above 0.',
    /^Error setting profile \w+\.$/,
  ),
  ffmpegFailed(
    /^(?:width and height must be (?:a multiple|multiples) of|Dimensions must be divisible by|width must be multiple of) (\d+)$/,
    'The encoder needs a width and height that are multiples of $1.',
    insteadOfSize('scale=trunc(iw/$1)*$1:trunc(ih/$1)*$1'),
  ),
  ffmpegFailed(
    /^(?:width and height must be multiples of four \(got (\d+x\d+)\)|Video size (\d+x\d+) is not multiple of 4\.)$/,
    'The encoder needs a width and height that are multiples of 4; the video has $1$2.',
    insteadOfSize('scale=trunc(iw/4)*4:trunc(ih/4)*4'),
  ),
  ffmpegFailed(
    /^(?:\w+ needs even width|Width must be even for this colorspace\.|4:2:[02] video requires even width(?: and height)?\.|Xvid: Could not create encoder reference)$/,
    'The encoder needs an even width and height.',
    insteadOfSize('scale=trunc(iw/2)*2:trunc(ih/2)*2'),
  ),
  ffmpegFailed(
    /^x265 \[error\]: Picture (?:width|height) must be an integer multiple of the specified chroma subsampling$/,
    'The encoder libx265 needs an even width and height.',
    'Choose an even width and height. In "scale", -2 keeps the aspect ratio and rounds to an even number.',
    /^Cannot open libx265 encoder\.$/,
  ),
  ffmpegFailed(
    /^x265 \[error\]: Constant rate-factor is incompatible with 2pass[\w -]{0,80}$/,
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    RATE_OF_PASSES,
    /^Cannot open libx265 encoder\.$/,
  ),
  ffmpegFailed(
    /^The bit rate (\d+) bps is unsupported\. Please choose a value between (\d+) and (\d+)\.$/,
    'The encoder takes $2 to $3 bits per second for the channels of this audio, and the request has $1.',
    'Send a "b:a" within that range.',
  ),
  ffmpegFailed(
    /^Quality-based encoding not supported, /,
    'The encoder has no quality like "q:a", only a bit rate.',
    leaveOut('q:a'),
  ),
  ffmpegFailed(
    /^(?:width|height) not divisible by 2 \((\d+x\d+)\)$/,
    'The encoder needs an even width and height, and the video has $1.',
    'In "scale", -2 keeps the aspect ratio and rounds to an even number. Otherwise end the filters with "crop=trunc(iw/2)*2:trunc(ih/2)*2".',
  ),
  ffmpegFailed(
    /^Invalid channel layout ([\w.()]{1,40}) for specified mapping family -?\d+\.$/,
    'The encoder libopus does not take the channel layout $1.',
    orElse(sendOption('af', 'aformat=channel_layouts=7.1|5.1|stereo|mono'), sendOption('ac', '2')),
  ),
  ffmpegFailed(
    /^Unsupported channel layout "([\w.()+ ]{1,200})"$/,
    'The encoder does not support the channel layout $1.',
    orElse(sendOption('ac', '2'), 'another number of channels that is usual'),
  ),
  ffmpegFailed(
    /^too many channels: got (\d+), need (\d+) or fewer$/,
    'The encoder supports $2 channels, and the audio has $1.',
    sendOption('ac', '$2'),
  ),
  ffmpegFailed(
    /^([\w-]{1,20}) video does not support resolutions above (\d+x\d+)$/,
    '$1 does not support frame sizes above $2.',
    'Send a smaller size.',
  ),
  ffmpegFailed(
    /^Input contains \(near\) NaN\/\+-Inf$/,
    'The audio filters make samples that are not numbers, so the audio cannot be encoded.',
    'Change or leave out the audio filters ("af") one by one.',
  ),
  ...CHROMA.map(([chroma, x264, x265]) =>
    ffmpegFailed(
      new RegExp(
        `^(?:x264 \\[error\\]: ([\\w-]+) profile doesn't support 4:${chroma[1]}:${chroma[2]}|x265 \\[error\\]: ([\\w-]+) profile not compatible with i${chroma} input chroma subsampling\\.)$`,
      ),
      `The profile $1$2 of the encoder does not allow the video, which is 4:${chroma[1]}:${chroma[2]}.`,
      orElse(PLAYABLE, `"profile:v": "${x264}" for libx264 and "${x265}" for libx265`),
      /^(?:Error setting profile|Invalid or incompatible profile set)/,
    ),
  ),
  ffmpegFailed(
    /^(?:x264 \[error\]: ([\w-]+) profile doesn't support a bit depth of (\d+)|x265 \[error\]: ([\w-]+) profile not supported, internal bit depth (\d+)\.)$/,
    'The profile $1$3 of the encoder does not allow the video, which has $2$4 bits.',
    orElse(PLAYABLE, 'for more than 8 bits, "profile:v": "high10" for libx264 and "main$2$4" for libx265'),
    /^(?:Error setting profile|Invalid or incompatible profile set)/,
  ),
  ffmpegFailed(
    /^(?:Error setting profile (\w+)\.|Invalid or incompatible profile set: \w+\.)$/,
    'The profile of the encoder does not allow the pixel format of the video.',
    orElse(PLAYABLE, 'leave the profile out'),
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (srt|webvtt|ass|lrc) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 holds only subtitles, and "map" selects other streams.',
    orElse(sendOption('map', '0:s:0'), 'another format for the other streams, such as .mkv'),
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (mp4|mov|ipod) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 gets no codec for subtitles by default.',
    addOption('c:s', 'mov_text'),
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (\w+) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 does not hold streams of a kind that "map" selects.',
    'Select by kind, such as "map": "0:a" for audio or "0:v" for video, or send another format.',
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (\w+) \(codec (\w+)\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 gets $2 by default, and this ffmpeg has no encoder for it.',
    'Name an encoder whose codec the format holds, such as "c:a": "aac" in .3gp, or send another format, such as .m4a.',
  ),
  ffmpegFailed(
    /^The specified picture size of (\d+x\d+) is not valid for the ([\w.]+) codec\.$/,
    'The codec $2 does not support the frame size $1.',
    sendOption('s', '352x288'),
  ),
  ffmpegFailed(
    /^Found no DV profile for (\d+x\d+) (\w+) video\. Valid DV profiles are:$/,
    'DV does not support $1 with $2: it has fixed sizes, pixel formats and frame rates.',
    orElse(sendOption('target', 'pal-dv'), '"ntsc-dv", which sets all of them'),
  ),
  ffmpegFailed(
    /^MPEG-1\/2 does not support (\d+)\/(\d+) fps$/,
    'MPEG-1 and MPEG-2 do not support the frame rate $1/$2.',
    orElse(sendOption('r', '25'), 'another of 24, 25, 30, 50 and 60'),
  ),
  ffmpegFailed(
    /^video parameters incompatible with DNxHD\. Valid DNxHD profiles:$/,
    'DNxHD has fixed sizes, bit rates and pixel formats, and the video fits none.',
    { ...sendMembers({ 'profile:v': 'dnxhr_hq', pix_fmt: 'yuv422p' }), why: 'this allows any size' },
  ),
  ffmpegFailed(
    /^Non full-range YUV is non-standard, set strict_std_compliance to at most unofficial to use it\.$/,
    'A JPEG has colours of the full range, and "color_range" asks for the limited one.',
    orElse(leaveOut('color_range'), sendOption('color_range', 'pc')),
  ),
  ffmpegFailed(
    /^Slice size is bigger than the image!$/,
    'The frame size is too small for this encoder.',
    'Send a larger size.',
  ),
  ffmpegFailed(
    /^encoder setup failed$/,
    'The encoder rejected the combination of bit rate, sample rate and channels.',
    {
      ...withMore(sendOption('q:a', '4'), { do: 'remove', name: 'b:a' }),
      or: 'send a bit rate that is usual for the channels',
    },
  ),
  ffmpegFailed(
    /^bitrate (\d+) is not allowed in (\w+)$/,
    'The encoder $2 has fixed bit rates, and $1k is not one of them.',
    orElse(sendOption('b:a', '192k'), 'another of 128k, 160k, 224k, 256k, 320k and 384k'),
  ),
  ffmpegFailed(
    /^bitrate not specified$/,
    'The bit rate is below 1000 bits per second, or missing.',
    orElse(sendOption('b:v', '1M'), sendOption('crf', '23')),
  ),
  ffmpegFailed(
    /^CRF\/CQP is incompatible with 2pass\.$/,
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    RATE_OF_PASSES,
  ),
  ffmpegFailed(
    /^Error setting encoder parameters: bad parameter \(0x[0-9a-f]{8}\)$/,
    'The encoder rejected a parameter: usually the frame size is too small, or a value is out of range.',
    'Send a frame size of at least 64x64, and leave options of the encoder out one by one. libsvtav1 takes "maxrate" only with "crf".',
  ),
  ffmpegFailed(
    /^Picture size is too large\. Max is (\d+x\d+)\.$/,
    'The frame size is too large for this encoder: at most $1.',
    'Send a smaller size.',
  ),
  ffmpegFailed(
    /^bitrate above max bitrate$/,
    '"b:v" is above "maxrate". Without "b:v", this encoder uses 200k.',
    'Send a "maxrate" above "b:v", such as "b:v": "2M" with "maxrate": "3M" and "bufsize": "4M".',
  ),
  ffmpegFailed(
    /^The (\w+) profile requires experimental compliance, add -strict -2 to enable!$/,
    'The profile is experimental, and ffmpeg uses it only on request.',
    orElse(leaveOut('profile:a'), sendOption('strict', 'experimental')),
  ),
  inputInvalid(
    /^Error while opening decoder(?: for input stream #\d+:\d+ )?: Invalid data found when processing input$/,
    'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
  inputInvalid(
    /^(?:Value inf for parameter 'time_base' out of range \[[\d.e+ -]{1,40}\]|Neither number of channels nor channel layout specified|Sample rate (?:0 invalid|not set))$/,
    'The audio of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    'Leave "f" out of the options of the input. Raw audio needs "ar" and "ac" there.',
  ),
  {
    ...inputInvalid(
      /^(?:Error while decoding stream #\d+:\d+: |Error submitting (?:a )?packet to (?:the )?decoder|Decoding error|Decode error rate)/,
      'Most of a stream of the inputs cannot be decoded: it is damaged, or in a form that this ffmpeg cannot decode.',
      'Send the file again, complete and undamaged, or leave the stream out: "an": "" for audio, "vn": "" for video.',
    ),
    exitCode: DECODING_FAILED,
  },
  ffmpegFailed(/^Invalid aspect ratio: ([\d:.]{1,20})$/, '"$1" is not an aspect ratio.', sendOption('aspect', '16:9')),
  ffmpegFailed(
    /^-to value smaller than -ss; aborting\.$/,
    'The end ("to") is before the start ("ss").',
    'Send a "to" after "ss", or "t" with a length.',
  ),
  inputInvalid(
    /^Picture size 0x0 is invalid$/,
    'The frame size of an input is unknown: raw video needs it as an option; any other file is damaged.',
    'For raw video, send "video_size": "640x480" and "pixel_format": "yuv420p" with the input.',
  ),
];
