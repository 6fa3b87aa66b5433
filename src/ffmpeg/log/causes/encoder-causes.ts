import { addOption, type Edits, leaveOut, orElse, sendMembers, sendOption, withMore } from '../../../domain/edit.ts';
import type { FailureRule } from '../failure-rule.ts';
import { rule } from '../failure-rule.ts';

/** The chroma of pictures that not all profiles allow, and the profiles of x264 and x265 that do. */
const CHROMA = [
  ['400', 'high', 'main444-10'],
  ['422', 'high422', 'main422-10'],
  ['444', 'high444', 'main444-10'],
] as const;

/** The fix that scales the picture to another size than the sent one. */
const insteadOfSize = (filter: string): Edits => withMore(sendOption('vf', filter), { do: 'remove', name: 's' });

/** The fix for two passes that have a quality. */
const RATE_OF_PASSES: Edits = {
  edits: [...sendOption('b:v', '1M').edits, { do: 'remove', name: 'crf' }, { do: 'remove', name: 'qp' }],
  or: leaveOut('pass'),
};

const PLAYABLE = sendOption('pix_fmt', 'yuv420p');

/**
 * Failures whose cause an encoder names in its own words, as ffmpeg 5.1 and 7.1 print them. Each shape matches a whole line,
 * whose variable parts are numbers and names. So these lines are safe to show to a client, and the readable log shows
 * them too.
 */
export const ENCODER_CAUSES: readonly FailureRule[] = [
  rule(
    /^x264 \[error\]: (\w+) profile doesn't support lossless$/,
    'FFMPEG_FAILED',
    'The profile $1 does not support lossless encoding ("qp" or "crf" 0).',
    'Leave the profile out for lossless encoding, or send a "crf" above 0.',
    /^Error setting profile \w+\.$/,
  ),
  rule(
    /^(?:width and height must be (?:a multiple|multiples) of|Dimensions must be divisible by|width must be multiple of) (\d+)$/,
    'FFMPEG_FAILED',
    'The encoder needs a width and height that are multiples of $1.',
    insteadOfSize('scale=trunc(iw/$1)*$1:trunc(ih/$1)*$1'),
  ),
  rule(
    /^(?:width and height must be multiples of four \(got (\d+x\d+)\)|Video size (\d+x\d+) is not multiple of 4\.)$/,
    'FFMPEG_FAILED',
    'The encoder needs a width and height that are multiples of 4; the picture has $1$2.',
    insteadOfSize('scale=trunc(iw/4)*4:trunc(ih/4)*4'),
  ),
  rule(
    /^(?:\w+ needs even width|Width must be even for this colorspace\.|4:2:[02] video requires even width(?: and height)?\.|Xvid: Could not create encoder reference)$/,
    'FFMPEG_FAILED',
    'The encoder needs an even width and height.',
    insteadOfSize('scale=trunc(iw/2)*2:trunc(ih/2)*2'),
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
    RATE_OF_PASSES,
    /^Cannot open libx265 encoder\.$/,
  ),
  rule(
    /^Invalid channel layout ([\w.()]{1,40}) for specified mapping family -?\d+\.$/,
    'FFMPEG_FAILED',
    'The encoder libopus does not take the channel layout $1.',
    orElse(sendOption('af', 'aformat=channel_layouts=7.1|5.1|stereo|mono'), sendOption('ac', '2')),
  ),
  rule(
    /^Unsupported channel layout "([\w.()+ ]{1,200})"$/,
    'FFMPEG_FAILED',
    'The encoder does not support the channel layout $1.',
    orElse(sendOption('ac', '2'), 'another number of channels that is usual'),
  ),
  rule(
    /^too many channels: got (\d+), need (\d+) or fewer$/,
    'FFMPEG_FAILED',
    'The encoder supports $2 channels, and the sound has $1.',
    sendOption('ac', '$2'),
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
  ...CHROMA.map(([chroma, x264, x265]) =>
    rule(
      new RegExp(
        `^(?:x264 \\[error\\]: ([\\w-]+) profile doesn't support 4:${chroma[1]}:${chroma[2]}|x265 \\[error\\]: ([\\w-]+) profile not compatible with i${chroma} input chroma subsampling\\.)$`,
      ),
      'FFMPEG_FAILED',
      `The profile $1$2 of the encoder does not allow the picture, which is 4:${chroma[1]}:${chroma[2]}.`,
      orElse(PLAYABLE, `"profile:v": "${x264}" for libx264 and "${x265}" for libx265`),
      /^(?:Error setting profile|Invalid or incompatible profile set)/,
    ),
  ),
  rule(
    /^(?:x264 \[error\]: ([\w-]+) profile doesn't support a bit depth of (\d+)|x265 \[error\]: ([\w-]+) profile not supported, internal bit depth (\d+)\.)$/,
    'FFMPEG_FAILED',
    'The profile $1$3 of the encoder does not allow the picture, which has $2$4 bits.',
    orElse(PLAYABLE, 'for more than 8 bits, "profile:v": "high10" for libx264 and "main$2$4" for libx265'),
    /^(?:Error setting profile|Invalid or incompatible profile set)/,
  ),
  rule(
    /^(?:Error setting profile (\w+)\.|Invalid or incompatible profile set: \w+\.)$/,
    'FFMPEG_FAILED',
    'The profile of the encoder does not allow the pixel format of the picture.',
    orElse(PLAYABLE, 'leave the profile out'),
  ),
  rule(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (srt|webvtt|ass|lrc) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'UNSUPPORTED',
    'The format $1 holds only subtitles, and "map" selects other streams.',
    orElse(sendOption('map', '0:s:0'), 'another format for the other streams, such as .mkv'),
  ),
  rule(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (mp4|mov|ipod) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'UNSUPPORTED',
    'The format $1 gets no codec for subtitles by default.',
    addOption('c:s', 'mov_text'),
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
    sendOption('s', '352x288'),
  ),
  rule(
    /^Found no DV profile for (\d+x\d+) (\w+) video\. Valid DV profiles are:$/,
    'FFMPEG_FAILED',
    'DV does not support $1 with $2: it has fixed sizes, pixel formats and frame rates.',
    orElse(sendOption('target', 'pal-dv'), '"ntsc-dv", which sets all of them'),
  ),
  rule(
    /^MPEG-1\/2 does not support (\d+)\/(\d+) fps$/,
    'FFMPEG_FAILED',
    'MPEG-1 and MPEG-2 do not support the frame rate $1/$2.',
    orElse(sendOption('r', '25'), 'another of 24, 25, 30, 50 and 60'),
  ),
  rule(
    /^video parameters incompatible with DNxHD\. Valid DNxHD profiles:$/,
    'FFMPEG_FAILED',
    'DNxHD has fixed sizes, bit rates and pixel formats, and the picture fits none.',
    { ...sendMembers({ 'profile:v': 'dnxhr_hq', pix_fmt: 'yuv422p' }), why: 'this allows any size' },
  ),
  rule(
    /^Non full-range YUV is non-standard, set strict_std_compliance to at most unofficial to use it\.$/,
    'FFMPEG_FAILED',
    'A JPEG has colours of the full range, and "color_range" asks for the limited one.',
    orElse(leaveOut('color_range'), sendOption('color_range', 'pc')),
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
    {
      ...withMore(sendOption('q:a', '4'), { do: 'remove', name: 'b:a' }),
      or: 'send a bit rate that is usual for the channels',
    },
  ),
  rule(
    /^bitrate (\d+) is not allowed in (\w+)$/,
    'FFMPEG_FAILED',
    'The encoder $2 has fixed bit rates, and $1k is not one of them.',
    orElse(sendOption('b:a', '192k'), 'another of 128k, 160k, 224k, 256k, 320k and 384k'),
  ),
  rule(
    /^bitrate not specified$/,
    'FFMPEG_FAILED',
    'The bit rate is below 1000 bits per second, or missing.',
    orElse(sendOption('b:v', '1M'), sendOption('crf', '23')),
  ),
  rule(
    /^CRF\/CQP is incompatible with 2pass\.$/,
    'FFMPEG_FAILED',
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    RATE_OF_PASSES,
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
    orElse(leaveOut('profile:a'), sendOption('strict', 'experimental')),
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
    sendOption('aspect', '16:9'),
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
