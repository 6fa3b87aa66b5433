import { type Edits, leaveOut } from '../edit.ts';
import { LANGUAGE_CODES } from '../transcription.ts';
import { bareWord, HEIGHT_ALONE, WIDTH_ALONE } from './value-words.ts';

/*
 * The meanings of option names of other tools, libraries and clients that ffmpeg does not have. A word of this table comes before
 * the name that is closest in spelling: "fps" is closest to "fs", the limit of the file size, but means "r". A key matches in any
 * spelling of `bareWord`: `frameRate`, `frame_rate` and `frame-rate` are one key.
 */

/** What to send instead of an option that ffmpeg does not have. */
export interface OptionMeaning {
  /** The values to which this meaning applies. Absent: any value. */
  readonly value?: RegExp;
  /** 'video': the meaning applies only if the output has video. 'audio': only if the output has no video. Absent: in both cases. */
  readonly output?: 'video' | 'audio';
  /** The formats to which this meaning applies. Absent: any format. */
  readonly muxer?: RegExp;
  /** What to do if the meaning is unclear, so that there are no options to send. `$&`, `$1`, … are parts of the sent value. */
  readonly advice?: Edits | string;
  /** The options to send. `$&`, `$1`, … are replaced by parts of the sent value, like in `String.replace`. */
  readonly send: Readonly<Record<string, string | readonly string[]>>;
}

const TRUE = /^(?:true|yes|on|1|)$/i;
const FALSE = /^(?:false|none|no|off|0|disabled?)$/i;
const ANY = /^.+$/s;
const NUMBER = /^\d+(?:\.\d+)?$/;
const COUNT = /^\d{1,6}$/;
/** A bit rate below 5,000 without a unit is in kilobits, because no video or audio has so few bits. */
const KILOBITS = /^(?:[1-9]\d{0,2}|[1-4]\d{3})$/;
const BITS = /^(\d+(?:\.\d+)?)\s*([kMG]?)(?:bps|bits?(?:\/s)?|b\/s)?$/i;
/** A rate of at least 1,000 Hz. Encoders support no lower rates. */
const HERTZ = /^\d{4,6}\s*(?:hz)?$|^\d{1,3}(?:\.\d+)?\s*k(?:hz)?$/i;

const to = (send: OptionMeaning['send'], value: RegExp = ANY): OptionMeaning => ({ send, value });
const of = (output: 'video' | 'audio', send: OptionMeaning['send'], value: RegExp = ANY): OptionMeaning => ({
  output,
  send,
  value,
});
/** A meaning with an example as the value, because ffmpeg has nothing that matches the sent value. */
const such = (send: OptionMeaning['send'], output?: 'video' | 'audio'): OptionMeaning =>
  output === undefined ? { send } : { send, output };

/** The option with the sent value. If the sent value is wrong, the option with an example. */
const sent = (option: string, example: string, value?: RegExp): readonly OptionMeaning[] => [
  to({ [option]: '$&' }, value),
  such({ [option]: example }),
];
const sentVideo = (option: string, example: string, value?: RegExp): readonly OptionMeaning[] => [
  of('video', { [option]: '$&' }, value),
  such({ [option]: example }, 'video'),
];

/** An option without a value. */
const switched = (option: string): readonly OptionMeaning[] => [to({ [option]: '' }, TRUE), such({ [option]: '' })];

/** Advice for a value with several meanings: the client has to choose. */
const ask = (advice: Edits | string, value: RegExp = ANY): OptionMeaning => ({ value, advice, send: {} });

/** Leaves out the option for values that mean the default. */
const leave = (value: RegExp): OptionMeaning => ({ value, advice: leaveOut(), send: {} });

/** The advice for a size of audio samples that the output cannot have. */
const BITS_OF_AUDIO =
  'For 24 bits, send "c:a": "pcm_s24le" with an output that ends in .wav, or "sample_fmt": "s32" with .flac: lossy formats have no bits.';

/** The fix for options that detect black borders. */
const CROP: Edits = {
  ...leaveOut(),
  note: 'To cut black borders off, send "preset": {"name": "crop-to-content"} beside "parameters".',
};

const tag = (name: string): readonly OptionMeaning[] => [
  to({ metadata: `${name}=$&` }),
  such({ metadata: `${name}=x` }),
];
const filter = (text: string): readonly OptionMeaning[] => [such({ vf: text }, 'video')];
const audio = (text: string): readonly OptionMeaning[] => [such({ af: text })];

/** A percentage of the width and the height, which keeps the aspect ratio. */
const PERCENT: readonly OptionMeaning[] = [of('video', { vf: 'scale=iw*$1/100:-2' }, /^((?!0)\d{1,3}(?:\.\d+)?)\s*%$/)];

/** One side of the frame. ffmpeg computes the other side. */
const ONE_SIDE: readonly OptionMeaning[] = [
  of('video', { vf: 'scale=$1:-2' }, WIDTH_ALONE),
  of('video', { vf: 'scale=-2:$1' }, HEIGHT_ALONE),
];

/** The values of sox in `silence 1 0.1 1%`: 1 for the start, the seconds of audio that end the silence, and the threshold in percent. */
export const SILENCE_AT_START = /^1 (\d{0,9}\.?\d{1,9}) (\d{0,9}\.?\d{1,9})%$/;

const FILE_SIZE = ask(
  // Ask, because "fs" ends the output in the middle of the video, which few clients want.
  'For the whole video in that size, send "preset": {"name": "target-size", "arguments": {"size": $1}} beside "parameters". For an output that ends at that size, even in the middle of the video, send "fs": "$1M".',
  /^(\d+(?:\.\d+)?)\s*M(?:i?B)?$/i,
);

const SIZE: readonly OptionMeaning[] = [
  FILE_SIZE,
  of('video', { s: '$1x$2' }, /^(\d+)\s*(?:px\s*)?[xX×*:,]\s*(\d+)\s*(?:px)?$/),
  of('video', { vf: 'scale=-2:$1' }, /^(\d{3,4})[pi]$/i),
  ...ONE_SIDE,
  of('video', { s: '$&' }, /^[a-z][a-z\d-]+$/),
  ...PERCENT,
  such({ s: '1280x720' }, 'video'),
];
/** A time. The option `position` of a client may also have a place in the frame as its value, such as `center`. */
const TIME = /^[-+]?\d[\d:.,]*\s*[a-z]*$/i;
const START = sent('ss', '5', TIME);
const END = sent('to', '15', TIME);
/** A part of a video, given by its start and its end. */
const RANGE = /^\*?(\d{1,9}(?:[.:]\d{1,9}){0,3})(?: ?(?:-|,|;|to|\.\.) ?| )(\d{1,9}(?:[.:]\d{1,9}){0,3})$/;
/** The advice for a peak level: no filter of ffmpeg scales audio to a peak in one run. */
const PEAK =
  'For a peak of $1 dB, measure "volume" first, and send "af": "volume=XdB" with X = $1 minus the measured maximum.';
const SWITCH_OFF_AUDIO = switched('an');

/** Languages by their names and two-letter codes. Players read three-letter codes. */
const LANGUAGES = [...LANGUAGE_CODES].map(([word, code]) =>
  to({ 'metadata:s:a:0': `language=${code}` }, new RegExp(`^${word}(?:[-_][a-z]{2})?$`, 'i')),
);

const OPTIONS: readonly (readonly [names: string, meanings: readonly OptionMeaning[]])[] = [
  ['fps framerate framespersecond videofps vfps videorate outputfps avgframerate rframerate', sent('r', '25')],
  [
    'bitrate br targetbitrate averagebitrate avgbitrate bps kbps',
    [
      of('video', { 'b:v': '$&k' }, KILOBITS),
      of('audio', { 'b:a': '$&k' }, KILOBITS),
      of('video', { 'b:v': '$&' }),
      of('audio', { 'b:a': '$&' }),
      such({ 'b:v': '2M' }, 'video'),
      such({ 'b:a': '128k' }, 'audio'),
    ],
  ],
  [
    'videobitrate vbitrate vidbitrate bitratevideo bv',
    [of('video', { 'b:v': '$&k' }, KILOBITS), of('video', { 'b:v': '$&' }), such({ 'b:v': '2M' }, 'video')],
  ],
  [
    'audiobitrate abitrate soundbitrate bitrateaudio ba',
    [to({ 'b:a': '$&k' }, KILOBITS), to({ 'b:a': '$&' }), such({ 'b:a': '128k' })],
  ],
  [
    'maxbitrate maximumbitrate maxvideobitrate peakbitrate',
    [of('video', { maxrate: '$1$2' }, BITS), such({ maxrate: '4M' }, 'video')],
  ],
  [
    'buffersize vbvbufsize hrdbuffersize vbvbuffersize',
    [of('video', { bufsize: '$1$2' }, BITS), such({ bufsize: '8M' }, 'video')],
  ],
  [
    'resolution size dimensions dimension framesize videosize videoresolution outputsize outputresolution imagesize',
    SIZE,
  ],
  [
    'width outputwidth videowidth targetwidth w',
    [of('video', { vf: 'scale=$1:-2' }, /^(\d+)(?:px)?$/), ...PERCENT, such({ vf: 'scale=1280:-2' }, 'video')],
  ],
  [
    'maxwidth',
    [of('video', { vf: "scale='min($1,iw)':-2" }, /^(\d+)(?:px)?$/), such({ vf: "scale='min(1280,iw)':-2" }, 'video')],
  ],
  [
    'maxheight',
    [of('video', { vf: "scale=-2:'min($1,ih)'" }, /^(\d+)(?:px|p)?$/), such({ vf: "scale=-2:'min(720,ih)'" }, 'video')],
  ],
  [
    'height outputheight videoheight targetheight h',
    [of('video', { vf: 'scale=-2:$1' }, /^(\d+)(?:px|p)?$/), ...PERCENT, such({ vf: 'scale=-2:720' }, 'video')],
  ],
  [
    'quality videoquality imagequality jpegquality jpgquality constantquality quantizer compression',
    [{ ...of('audio', { 'q:a': '$&' }, /^\d$/), muxer: /^(?:mp3|ogg|oga)$/ }, such({ 'b:a': '192k' }, 'audio')],
  ],
  ['audioquality', [to({ 'q:a': '$&' }, NUMBER), such({ 'b:a': '192k' })]],
  [
    'duration length maxduration maxlength cliplength clipduration durationseconds seconds lengthseconds',
    sent('t', '10'),
  ],
  [
    'start starttime startat startoffset begin begintime from seek seekto position timestart trimstart clipstart starttimestamp startseconds starttimeseconds offsets seekinput inpoint markin trimin clipin seekstart',
    START,
  ],
  [
    'end endtime endat stop stoptime stopat until timeend trimend clipend endtimestamp endseconds endtimeseconds endoffset outpoint markout trimout clipout seekend',
    END,
  ],
  [
    'trim cut clip timerange subclip range segment downloadsections sections excerpt',
    [to({ ss: '$1', to: '$2' }, RANGE), such({ ss: '5', to: '15' })],
  ],
  [
    'silence',
    [
      // The sox effect removes silence at the start.
      to({ af: 'silenceremove=start_periods=1:start_duration=$1:start_threshold=$2/100' }, SILENCE_AT_START),
      ...SWITCH_OFF_AUDIO,
    ],
  ],
  ['mute muted silent noaudio nosound removeaudio stripaudio disableaudio withoutaudio', SWITCH_OFF_AUDIO],
  [
    'audio sound',
    [
      of('video', { map: ['0:v', '0:a:0?'] }, /^1$/),
      to({ an: '' }, FALSE),
      leave(TRUE),
      ask('Audio streams count from 0: send "map": ["0:v","0:a:1"] for the second one.', /^\d+(?:,\d+)*$/),
      to({ 'c:a': '$&' }),
      such({ 'c:a': 'aac' }),
    ],
  ],
  ['novideo removevideo stripvideo disablevideo audioonly extractaudio onlyaudio', switched('vn')],
  ['video', [to({ vn: '' }, FALSE), of('video', { 'c:v': '$&' }), such({ 'c:v': 'libx264' }, 'video')]],
  ['nosubtitles nosubs nosubtitle removesubtitles disablesubtitles', switched('sn')],
  ['nodata removedata disabledata', switched('dn')],
  ['qscaleaudio audioqscale aqscale qaudio', sent('q:a', '2', NUMBER)],
  ['qscalevideo videoqscale vqscale qvideo', sent('q:v', '3', NUMBER)],
  [
    'rotate rotation rotatevideo orientation',
    [
      of('video', { vf: 'transpose=1' }, /^\+?(?:90|-270)(?:°|deg|degrees)?$|^(?:cw|clockwise|right)$/i),
      of('video', { vf: 'transpose=2' }, /^(?:270|-90)(?:°|deg|degrees)?$|^(?:ccw|counterclockwise|left)$/i),
      of('video', { vf: 'hflip,vflip' }, /^-?180(?:°|deg|degrees)?$/),
      leave(/^[-+]?(?:0|360)(?:°|deg|degrees)?$/),
      of('video', { vf: 'rotate=$1*PI/180' }, /^(-?\d+(?:\.\d+)?)(?:°|deg|degrees)?$/),
      such({ vf: 'transpose=1' }, 'video'),
    ],
  ],
  [
    'flip mirror',
    [
      of('video', { vf: 'vflip' }, /^(?:v|vertical|vertically|y|updown)$/i),
      of('video', { vf: 'hflip,vflip' }, /^both$/i),
      such({ vf: 'hflip' }, 'video'),
    ],
  ],
  [
    'speed playbackspeed playbackrate speedup videospeed speedfactor speedmultiplier',
    [
      of('video', { vf: 'setpts=PTS/$1', af: 'atempo=$1' }, /^((?:0?\.[5-9]|[1-9])\d{0,2}(?:\.\d+)?)x?$/i),
      of('audio', { af: 'atempo=$1' }, /^((?:0?\.[5-9]|[1-9])\d{0,2}(?:\.\d+)?)x?$/i),
      such({ vf: 'setpts=PTS/2', af: 'atempo=2' }, 'video'),
      such({ af: 'atempo=2' }, 'audio'),
    ],
  ],
  [
    'tempo audiospeed',
    [to({ af: 'atempo=$1' }, /^((?:0?\.[5-9]|[1-9])\d{0,2}(?:\.\d+)?)x?$/i), ...audio('atempo=1.5')],
  ],
  [
    'volume gain audiovolume audiogain volumelevel volumex',
    [
      // A value with a sign is in decibels, because people give only decibels a sign.
      to({ af: 'volume=$1dB' }, /^([-+]\d+(?:\.\d+)?)\s*(?:db)?$/i),
      to({ af: 'volume=$1$2' }, /^(\d+(?:\.\d+)?)\s*(db)?$/i),
      to({ af: 'volume=$1/100' }, /^(\d+)\s*%$/),
      // `gain -n` of sox normalizes.
      to({ af: 'loudnorm' }, /^-n(?:\s+-?\d+(?:\.\d+)?)?$/),
      ...audio('volume=0.5'),
    ],
  ],
  [
    'crop cropsize croparea',
    [
      of('video', { vf: 'crop=$1:$2' }, /^(\d+)(?:px)?[x:](\d+)(?:px)?$/i),
      of('video', { vf: 'crop=$1:$2:$3:$4' }, /^(\d+)[x:,](\d+)[+:,](\d+)[+:,](\d+)$/),
      such({ vf: 'crop=640:480' }, 'video'),
    ],
  ],
  [
    'scale resize rescale scaleto scalewidth geometry',
    [
      of('video', { vf: 'scale=$1:$2' }, /^(-?\d+)(?:px)?\s*[xX×*:,]\s*(-?\d+)(?:px)?$/),
      of('video', { vf: 'scale=-2:$1' }, /^(\d{3,4})p$/i),
      ...ONE_SIDE,
      of(
        'video',
        { vf: 'scale=$1:$2:force_original_aspect_ratio=decrease:force_divisible_by=2' },
        /^(\d{2,5})x(\d{2,5})[>]$/,
      ),
      of('video', { vf: 'scale=$1:$2:force_original_aspect_ratio=increase,crop=$1:$2' }, /^(\d{2,5})x(\d{2,5})\^$/),
      of('video', { vf: 'scale=$1:$2' }, /^(\d{2,5})x(\d{2,5})!$/),
      leave(/^(?:auto|none|original|source)$/i),
      of('video', { vf: 'scale=$1:-2' }, /^(\d{2,5})$/),
      of('video', { vf: 'scale=iw*$1:-2' }, /^((?!0(?:\.0+)?x?$)[0-4](?:\.\d+)?)x?$/),
      ...PERCENT,
      such({ vf: 'scale=1280:-2' }, 'video'),
    ],
  ],
  ['videocodec videoencoder vencoder codecvideo codecv vcod cv videoc', sentVideo('c:v', 'libx264')],
  ['audiocodec audioencoder aencoder audioenc codecaudio codeca acod ca audioc audioformat', sent('c:a', 'aac')],
  ['subtitlecodec subtitlescodec subcodec subtitleformat subtitlesformat', sent('c:s', 'copy')],
  [
    'encoder codecname encodewith',
    [of('video', { 'c:v': '$&' }), to({ 'c:a': '$&' }), such({ 'c:v': 'libx264' }, 'video')],
  ],
  ['pixelformat pixfmt pixformat pixelfmt colorformat chromasubsampling', sentVideo('pix_fmt', 'yuv420p')],
  [
    'samplerate audiosamplerate samplingrate audiorate frequency audiofrequency samplefrequency audiosampling hz',
    sent('ar', '44100', HERTZ),
  ],
  [
    'channels audiochannels channelcount nbchannels numchannels numberofchannels channel mixdown',
    [to({ ac: '$&' }, /^(?:[12]|mono|stereo)$/i), of('video', { ac: '$&' }, /^[3-68]$/), such({ ac: '2' })],
  ],
  [
    'codingmode',
    [
      to({ ac: '1' }, /^(?:coding_mode_)?1_0$/i),
      to({ ac: '2' }, /^(?:coding_mode_)?2_0$/i),
      to({ ac: '6' }, /^(?:coding_mode_)?5_1$/i),
    ],
  ],
  ['sampleformat samplefmt', sent('sample_fmt', 's16')],
  [
    'gop gopsize keyint keyintmax keyframeinterval keyframes keyframedistance',
    [
      of('video', { force_key_frames: 'expr:gte(t,n_forced*$1)' }, /^(\d+(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?$/i),
      of('video', { g: '$&' }, COUNT),
      such({ g: '48' }, 'video'),
    ],
  ],
  ['bframes maxbframes', sentVideo('bf', '2', /^(?:\d|1[0-6])$/)],
  ['referenceframes reframes', sentVideo('refs', '4', /^(?:\d|1[0-6])$/)],
  [
    'encoderpreset x264preset videopreset speedpreset encodingspeed qualitytuninglevel',
    sentVideo('preset', 'medium', /^(?:(?:ultra|super|very)?fast|faster|medium|slow|slower|veryslow|placebo)$/),
  ],
  ['videoprofile h264profile codecprofile', sentVideo('profile:v', 'high', /^(?:baseline|main|high)$/)],
  ['videolevel h264level', sentVideo('level', '4.1', /^[1-5](?:\.[0-2])?$/)],
  ['overwrite forceoverwrite overwriteoutput overwriteexisting replaceexisting force replace yes', switched('y')],
  ['filters vfilter vfilters videofilter videofilters', sentVideo('vf', 'scale=1280:-2')],
  ['afilter afilters audiofilter audiofilters', [to({ af: '$&' }), ...audio('volume=0.5')]],
  [
    'filtercomplex complexfilter complexfilters filtergraph complexfiltergraph',
    [to({ filter_complex: '$&' }), such({ filter_complex: 'scale=1280:-2' }, 'video')],
  ],
  ['text caption drawntext', filter('drawtext=text=Hello')],
  ...'title artist album author genre comment composer copyright description date year track'
    .split(' ')
    .map((name) => [name, tag(name)] as const),
  [
    'language lang audiolanguage',
    [...LANGUAGES, to({ 'metadata:s:a:0': 'language=$&' }, /^[a-z]{3}$/i), such({ 'metadata:s:a:0': 'language=eng' })],
  ],
  ['thumbnail screenshot poster snapshot stillframe singleframe still', [such({ 'frames:v': '1' }, 'video')]],
  ['framecount numframes nbframes maxframes numberofframes totalframes frame', sentVideo('frames:v', '1', /^\d+$/)],
  [
    'count thumbnailcount',
    [
      { muxer: /^image2$/, value: /^1$/, send: { 'frames:v': '1' } },
      {
        muxer: /^image2$/,
        value: COUNT,
        advice:
          'For $& images over the whole video, send "vf": "fps=$&/SECONDS" with its duration in seconds, which a probe of the input shows.',
        send: {},
      },
    ],
  ],
  // The options of ImageMagick for a crop or bars.
  [
    'gravity',
    [leave(/^cent(?:er|re)$/i), ask({ ...leaveOut(), note: 'Send the place in the filter: crop=WIDTH:HEIGHT:X:Y.' })],
  ],
  [
    'extent',
    [
      ask(
        'To cut the frame to $1x$2, send "vf": "crop=$1:$2". To put bars around it, "vf": "pad=$1:$2:(ow-iw)/2:(oh-ih)/2".',
        /^(\d{1,5})x(\d{1,5})$/,
      ),
    ],
  ],
  ['copy streamcopy remux codeccopy copycodec copystreams', [such({ c: 'copy' })]],
  ['twopass 2pass passes multipass', [such({ pass: '2', 'b:v': '2M' }, 'video')]],
  ['denoise noisereduction', filter('hqdn3d')],
  ['deinterlace deint decomb deinterlacer', [of('video', { vf: 'yadif' }, TRUE), leave(FALSE), ...filter('yadif')]],
  ['autocrop cropmode cropdetect', [leave(FALSE), ask(CROP)]],
  ['encodertune x264tune', [of('video', { tune: '$&' }, /^(?!true$|false$)[a-z]+$/i)]],
  ['rf ratefactor constantratefactor crfvalue', [of('video', { crf: '$&' }, NUMBER)]],
  ['cfr constantframerate', [of('video', { fps_mode: 'cfr' }, TRUE), leave(FALSE)]],
  ['vfr variableframerate', [of('video', { fps_mode: 'vfr' }, TRUE), leave(FALSE)]],
  ['allaudio allaudiotracks', [to({ map: ['0:v', '0:a'] }, TRUE), leave(FALSE)]],
  ['allsubtitles allsubs', [to({ map: ['0:v', '0:a?', '0:s?'] }, TRUE), leave(FALSE)]],
  ['audiolanglist', [of('video', { map: ['0:v', '0:a:m:language:$&'] }, /^[a-z]{3}$/)]],
  ['subtitlelanglist', [of('video', { map: ['0:v', '0:a?', '0:s:m:language:$&'] }, /^[a-z]{3}$/)]],
  ['alltracks allstreams keepallstreams', [to({ map: '0' }, TRUE), leave(FALSE)]],
  ['strip stripmetadata removemetadata', [to({ map_metadata: '-1' }, TRUE), leave(FALSE)]],
  ['autoorient autorotate', [leave(TRUE)]],
  ['speedx', [of('video', { vf: 'setpts=PTS/$1', af: 'atempo=$1' }, /^([1-9]\d{0,2}(?:\.\d+)?|0?\.[5-9]\d*)$/)]],
  [
    'bits bitdepth bitspersample samplebits depth bitspercomponent',
    [
      {
        muxer: /^(?:wav|w64|mov|rf64)$/,
        output: 'audio',
        value: /^(16|24|32)(?:[ -]?bits?)?$/i,
        send: { 'c:a': 'pcm_s$1le' },
      },
      { muxer: /^aiff$/, output: 'audio', value: /^(16|24|32)(?:[ -]?bits?)?$/i, send: { 'c:a': 'pcm_s$1be' } },
      { muxer: /^(?:flac|ipod|mov|caf)$/, output: 'audio', value: /^24(?:[ -]?bits?)?$/i, send: { sample_fmt: 's32' } },
      { muxer: /^flac$/, output: 'audio', value: /^16(?:[ -]?bits?)?$/i, send: { sample_fmt: 's16' } },
      { muxer: /./, output: 'audio', value: ANY, advice: BITS_OF_AUDIO, send: {} },
      of('video', { pix_fmt: 'yuv420p' }, /^8(?:[ -]?bits?)?$/i),
      of('video', { pix_fmt: 'yuv420p10le' }, /^10(?:[ -]?bits?)?$/i),
      ask(
        'For video of 10 bits, send "pix_fmt": "yuv420p10le"; of 8 bits, "pix_fmt": "yuv420p". Bits of audio need an output such as .wav, with "c:a": "pcm_s24le".',
      ),
    ],
  ],
  [
    'samplewidth',
    [
      { muxer: /^(?:wav|w64)$/, output: 'audio', value: /^2$/, send: { 'c:a': 'pcm_s16le' } },
      { muxer: /^(?:wav|w64)$/, output: 'audio', value: /^3$/, send: { 'c:a': 'pcm_s24le' } },
      { muxer: /^(?:wav|w64)$/, output: 'audio', value: /^4$/, send: { 'c:a': 'pcm_s32le' } },
      ask(BITS_OF_AUDIO),
    ],
  ],
  [
    'ratecontrolmode ratecontrol rcmode bitratemode bitrateencoding bitratecontrol ratecontrolmethod',
    [
      leave(/^(?:vbr|abr|auto|default)$/i),
      ask(
        'Send "pass": "2" with a bit rate, such as "b:v": "10M", for two passes.',
        /^.*\b(?:2|two|multi)[ -]?pass.*$/i,
      ),
      ask(
        leaveOut(
          undefined,
          'without a bit rate the quality is constant, "crf" sets it, and "maxrate" with "bufsize" limits the bit rate',
        ),
        /^(?:qvbr|cq|crf|cqp|icq|constant[ _-]?quality)$/i,
      ),
      ask(
        'For a constant bit rate, send the same one as "b:v", "minrate" and "maxrate", and as "bufsize".',
        /^(?:cbr|constant(?:[ _-]?bit[ _-]?rate)?)$/i,
      ),
    ],
  ],
  [
    'qvbrqualitylevel qvbrsettings',
    [ask('It has no fixed meaning here: send "crf": "23" for H.264, where 18 is better and 28 smaller.')],
  ],
  [
    'gopsizeunits minsegmentlength robot tempaudiofile removetemp performance logger writelogfile renderatmaximumdepth usemaximumrenderquality verbose ffmpegpath keeppitch',
    [leave(ANY)],
  ],
  ['framerateconversionalgorithm parnumerator pardenominator', [leave(ANY)]],
  ['interlacemode scantype fieldorder', [leave(/^(?:progressive|p)$/i)]],
  [
    'segmentlength segmentduration segmentseconds',
    [
      { muxer: /^hls$/, value: NUMBER, send: { hls_time: '$&' } },
      { muxer: /^dash$/, value: NUMBER, send: { seg_duration: '$&' } },
      { muxer: /^segment$/, value: NUMBER, send: { segment_time: '$&' } },
    ],
  ],
  [
    'subtitleburned burnsubtitles burnsubs hardsubs subtitleburn',
    [
      ask(
        'Subtitles of a file: "preset": {"name": "burn-subtitles", "arguments": {"subtitles": "subs.srt"}} beside "parameters". Subtitles of the input: "vf": "subtitles=FILE" with the path of the input.',
      ),
    ],
  ],
  [
    'embedthumbnail',
    [
      ask(
        'For a cover image in an audio file, send "preset": {"name": "add-cover", "arguments": {"picture": "cover.jpg"}} beside "parameters".',
      ),
    ],
  ],
  [
    'pitch pitchshift',
    [
      ask(
        'To change the pitch by a factor of 1.1 at the same speed, send "af": "rubberband=pitch=1.1". A semitone is a factor of 1.0595, and $& cents a factor of 2^($&/1200).',
        /^-?\d+(?:\.\d+)?$/,
      ),
    ],
  ],
  ['grayscale greyscale blackandwhite bw', filter('hue=s=0')],
  ['blur', filter('gblur=sigma=5')],
  ['sharpen sharpness', filter('unsharp')],
  ['stabilize stabilise', filter('deshake')],
  ...['brightness', 'contrast', 'saturation'].map(
    (name) =>
      [
        name,
        [
          of('video', { vf: `eq=${name}=$&` }, /^-?(?:[0-2](?:\.\d+)?|\.\d+)$/),
          such({ vf: `eq=${name}=${name === 'brightness' ? '0.1' : '1.2'}` }, 'video'),
        ],
      ] as const,
  ),
  ['reverse', [such({ vf: 'reverse', af: 'areverse' }, 'video'), such({ af: 'areverse' }, 'audio')]],
  ['rate', [to({ ar: '$&' }, HERTZ), to({ r: '$&' }), such({ ar: '44100' }, 'audio'), such({ r: '25' }, 'video')]],
  [
    'normalize normalise norm normalizeaudio audionormalize loudnessnormalization targetloudness lufs loudness targetlufs',
    [
      to({ af: 'loudnorm' }, TRUE),
      to({ af: 'loudnorm=I=$1' }, /^(-(?:[5-9]|[1-6]\d|70)(?:\.\d+)?)\s*lufs$/i),
      ask(PEAK, /^(-[0-4](?:\.\d+)?|0(?:\.0+)?)\s*(?:db|dbfs|dbtp)?$/i),
      ask(PEAK, /^(-\d{1,2}(?:\.\d+)?)\s*(?:db|dbfs|dbtp)$/i),
      ask(`For a loudness of $1 LUFS, send "af": "loudnorm=I=$1". ${PEAK}`, /^(-(?:[5-9]|[1-6]\d|70)(?:\.\d+)?)$/),
      ...audio('loudnorm'),
    ],
  ],
  [
    'fadein',
    [of('video', { vf: 'fade=t=in:d=$&' }, NUMBER), such({ vf: 'fade=t=in:d=1' }, 'video'), ...audio('afade=t=in:d=1')],
  ],
  [
    'audiofadeout',
    [
      ask(
        'When a fade at the end starts depends on the duration: send "af": "afade=t=out:st=START:d=$&" with START $& seconds before the end of the output.',
        NUMBER,
      ),
    ],
  ],
  ['audiofadein', [to({ af: 'afade=t=in:d=$&' }, NUMBER)]],
  [
    'fadeout',
    [
      ask(
        'When a fade at the end starts depends on the duration: send "preset": {"name": "fade", "arguments": {"seconds": $&}} beside "parameters" for both fades, or "vf": "fade=t=out:st=START:d=$&" with START $& seconds before the end.',
        NUMBER,
      ),
      such({ vf: 'fade=t=out:st=9:d=1' }, 'video'),
      ...audio('afade=t=out:st=9:d=1'),
    ],
  ],
  [
    'faststart optimize optimise weboptimized webstart streamable progressive',
    [of('video', { movflags: '+faststart' }, TRUE), leave(FALSE), such({ movflags: '+faststart' })],
  ],
  ['aspectratio dar displayaspectratio', sentVideo('aspect', '16:9')],
  ['hlstype hlslisttype playlisttype hlsplaylistmode', [to({ hls_playlist_type: '$&' }, /^(?:vod|event)$/)]],
  ['hlssegmenttime hlssegmentduration hlsduration hlssegmentlength', sent('hls_time', '6', NUMBER)],
  ['threadcount numthreads nbthreads cpus cores', sent('threads', '2', /^\d{1,2}$/)],
  ['repeat loopcount loops', sent('stream_loop', '1', /^-?\d+$/)],
  [
    'filesize maxsize maxfilesize targetsize limitfilesize',
    [FILE_SIZE, to({ fs: '$1$2' }, /^(\d+)\s*([kMG]?)i?B?$/), such({ fs: '10M' })],
  ],
  ['fourcc codectag', sentVideo('tag:v', 'hvc1')],
  ['subtitletrack subtitlestream subtitletracks subtitles subtitle', [to({ sn: '' }, FALSE)]],
  ['audiotrack videotrack stream streams tracks', [such({ map: '0:a:0' })]],
];

/**
 * Joins the values of `map` for two words of a client. `0:a` (all audio) is dropped if another value selects some of the audio, such as
 * `0:a:m:language:eng`.
 */
export function joinedMaps(one: string | readonly string[], other: string | readonly string[]): readonly string[] {
  const all = [...new Set([one, other].flat())];
  const isGeneral = (map: string): boolean => /^0:[va]\??$/.test(map);
  return all.filter(
    (map) => !isGeneral(map) || !all.some((named) => !isGeneral(named) && named.startsWith(map.replace('?', ''))),
  );
}

const OPTION_MEANINGS = new Map(
  OPTIONS.flatMap(([names, meanings]) => names.split(' ').map((name) => [name, meanings] as const)),
);

/** For each meaning, one option name of other tools. */
export const OPTION_WORDS: readonly string[] = OPTIONS.flatMap(([names]) => names.split(' ').slice(0, 1));

/** The meanings of an option name of another tool. Use the first meaning that leads to a valid option. */
export const optionMeanings = (name: string): readonly OptionMeaning[] | undefined =>
  OPTION_MEANINGS.get(bareWord(name.replace(/^-+/, '')));

/** Whether an option name of another tool means the quality. The matching ffmpeg option depends on the encoder. */
export const meansQuality = (name: string): boolean =>
  /^(?:quality|videoquality|imagequality|jpe?gquality|constantquality|quantizer|compression)$/.test(bareWord(name));

/** The fix for a part that ends before it starts, such as `5-2` for `trim`. undefined for other options and values. */
export function backwardRange(name: string, value: string): string | undefined {
  const [, start = '', end = ''] = RANGE.exec(value) ?? [];
  const [from, to] = [secondsOf(start), secondsOf(end)];
  if (start === '' || !(to <= from) || optionMeanings(name)?.some(({ value: own }) => own === RANGE) !== true)
    return undefined;
  const part = to === from ? '' : `For the part from ${end} to ${start}, send "ss": "${end}" and "to": "${start}". `;
  return `The part ends before it starts. ${part}For a length of ${end} from ${start} on, send "ss": "${start}" and "t": "${end}".`;
}

const secondsOf = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The advice for an option of other tools whose value is unclear. undefined: the value is clear, or nothing is known about the option. */
export function optionAdvice(name: string, value: string): Edits | string | undefined {
  const backwards = backwardRange(name, value.trim());
  if (backwards !== undefined) return backwards;
  const meaning = optionMeanings(name)?.find(({ value: pattern }) => pattern?.test(value.trim()) === true);
  return meaning?.value && adviceOf(meaning, value.trim());
}

/** The advice of a meaning, with parts of the sent value inserted. */
export const adviceOf = (
  { value: pattern, advice }: OptionMeaning,
  value: string | undefined,
): OptionMeaning['advice'] =>
  pattern !== undefined && typeof advice === 'string' ? value?.replace(pattern, advice) : advice;
