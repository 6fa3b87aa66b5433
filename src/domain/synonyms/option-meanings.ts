import { LANGUAGE_CODES } from '../language-codes.ts';
import { bareWord } from './bare-word.ts';

/**
 * What people mean by words that other tools, libraries and clients use and that this service or ffmpeg does not have.
 * A word of this table is looked up before the name that is closest in spelling: "fps" is closest to "fs", the limit of
 * the file size, but means "r".
 *
 * A key matches in any spelling of `bareWord`: `frameRate`, `frame_rate` and `frame-rate` are one key.
 */

/** What to send instead of an option that ffmpeg does not have. */
export interface OptionMeaning {
  /** The values to which this meaning applies. Absent: any value. */
  readonly value?: RegExp;
  /** 'video': the meaning applies only if the output has video. 'audio': only if it has none. Absent: in both cases. */
  readonly output?: 'video' | 'audio';
  /** Options and their values. `$&`, `$1`, … are replaced by parts of the sent value, as `String.replace` does. */
  readonly send: Readonly<Record<string, string>>;
}

const TRUE = /^(?:true|yes|on|1|)$/i;
const FALSE = /^(?:false|none|no|off|0|disabled?)$/i;
const ANY = /^.+$/s;
const NUMBER = /^\d+(?:\.\d+)?$/;
const COUNT = /^\d{1,6}$/;
const BITS = /^(\d+(?:\.\d+)?)\s*([kMG]?)(?:bps|bits?(?:\/s)?|b\/s)?$/i;
/** At least 1,000 Hz: encoders support no lower rates. */
const HERTZ = /^\d{4,6}\s*(?:hz)?$|^\d{1,3}(?:\.\d+)?\s*k(?:hz)?$/i;

const to = (send: OptionMeaning['send'], value: RegExp = ANY): OptionMeaning => ({ send, value });
const of = (output: 'video' | 'audio', send: OptionMeaning['send'], value: RegExp = ANY): OptionMeaning => ({
  output,
  send,
  value,
});
/** A meaning that gives only an example of a value, because ffmpeg has no meaning for the sent value. */
const such = (send: OptionMeaning['send'], output?: 'video' | 'audio'): OptionMeaning =>
  output === undefined ? { send } : { send, output };

const tag = (name: string): readonly OptionMeaning[] => [
  to({ metadata: `${name}=$&` }),
  such({ metadata: `${name}=x` }),
];
const filter = (text: string): readonly OptionMeaning[] => [such({ vf: text }, 'video')];
const sound = (text: string): readonly OptionMeaning[] => [such({ af: text })];

/** A share of the width or the height, which keeps the shape. */
const PERCENT: readonly OptionMeaning[] = [of('video', { vf: 'scale=iw*$1/100:-2' }, /^(\d{1,3}(?:\.\d+)?)\s*%$/)];

const SIZE: readonly OptionMeaning[] = [
  of('video', { s: '$1x$2' }, /^(\d+)\s*(?:px\s*)?[xX×*:,]\s*(\d+)\s*(?:px)?$/),
  of('video', { vf: 'scale=-2:$1' }, /^(\d{3,4})[pi]$/i),
  of('video', { s: '$&' }, /^[a-z][a-z\d-]+$/),
  ...PERCENT,
  such({ s: '1280x720' }, 'video'),
];
/** A position may also be a place in the picture. */
const TIME = /^[-+]?\d[\d:.,]*\s*[a-z]*$/i;
const START = [to({ ss: '$&' }, TIME), such({ ss: '5' })];
const END = [to({ to: '$&' }, TIME), such({ to: '15' })];
const SWITCH_OFF_AUDIO = [to({ an: '' }, TRUE), such({ an: '' })];

/** Languages by their names and codes of two letters: players read codes of three. */
const LANGUAGES = [...LANGUAGE_CODES].map(([word, code]) =>
  to({ 'metadata:s:a:0': `language=${code}` }, new RegExp(`^${word}(?:[-_][a-z]{2})?$`, 'i')),
);

const OPTIONS: readonly (readonly [names: string, meanings: readonly OptionMeaning[]])[] = [
  [
    'fps framerate framespersecond videofps vfps videorate outputfps avgframerate rframerate',
    [to({ r: '$&' }), such({ r: '25' })],
  ],
  [
    'bitrate br targetbitrate bps kbps',
    [
      of('video', { 'b:v': '$&' }),
      of('audio', { 'b:a': '$&' }),
      such({ 'b:v': '2M' }, 'video'),
      such({ 'b:a': '128k' }, 'audio'),
    ],
  ],
  ['videobitrate vbitrate vidbitrate bitratevideo bv', [of('video', { 'b:v': '$&' }), such({ 'b:v': '2M' }, 'video')]],
  ['audiobitrate abitrate soundbitrate bitrateaudio ba', [to({ 'b:a': '$&' }), such({ 'b:a': '128k' })]],
  [
    'maxbitrate maximumbitrate maxvideobitrate',
    [of('video', { maxrate: '$1$2' }, BITS), such({ maxrate: '4M' }, 'video')],
  ],
  ['buffersize vbvbufsize', [of('video', { bufsize: '$1$2' }, BITS), such({ bufsize: '8M' }, 'video')]],
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
    [such({ 'b:a': '192k' }, 'audio')],
  ],
  ['audioquality', [to({ 'q:a': '$&' }, NUMBER), such({ 'b:a': '192k' })]],
  ['duration length maxduration maxlength cliplength clipduration', [to({ t: '$&' }), such({ t: '10' })]],
  [
    'start starttime startat startoffset begin begintime from seek seekto position timestart trimstart clipstart starttimestamp startseconds starttimeseconds',
    START,
  ],
  ['end endtime endat stop stoptime stopat until timeend trimend clipend endtimestamp endseconds endtimeseconds', END],
  [
    'trim cut clip timerange',
    [
      to({ ss: '$1', to: '$2' }, /^(\d{1,9}(?:[.:]\d{1,9}){0,3})\s*(?:-|,|;|to|\.\.)\s*(\d{1,9}(?:[.:]\d{1,9}){0,3})$/),
      such({ ss: '5', to: '15' }),
    ],
  ],
  ['mute muted silent silence noaudio nosound removeaudio stripaudio disableaudio withoutaudio', SWITCH_OFF_AUDIO],
  ['audio sound', [to({ an: '' }, FALSE), to({ 'c:a': '$&' }), such({ 'c:a': 'aac' })]],
  ['novideo removevideo stripvideo disablevideo audioonly extractaudio', [such({ vn: '' })]],
  ['video', [to({ vn: '' }, FALSE), of('video', { 'c:v': '$&' }), such({ 'c:v': 'libx264' }, 'video')]],
  ['nosubtitles nosubs nosubtitle removesubtitles disablesubtitles', [such({ sn: '' })]],
  [
    'rotate rotation rotatevideo orientation',
    [
      of('video', { vf: 'transpose=1' }, /^\+?(?:90|-270)(?:°|deg|degrees)?$|^(?:cw|clockwise|right)$/i),
      of('video', { vf: 'transpose=2' }, /^(?:270|-90)(?:°|deg|degrees)?$|^(?:ccw|counterclockwise|left)$/i),
      of('video', { vf: 'hflip,vflip' }, /^-?180(?:°|deg|degrees)?$/),
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
    [to({ af: 'atempo=$1' }, /^((?:0?\.[5-9]|[1-9])\d{0,2}(?:\.\d+)?)x?$/i), ...sound('atempo=1.5')],
  ],
  [
    'volume gain audiovolume audiogain volumelevel loudness',
    [
      to({ af: 'volume=$1$2' }, /^([-+]?\d+(?:\.\d+)?)\s*(db)?$/i),
      to({ af: 'volume=$1/100' }, /^(\d+)\s*%$/),
      // As sox normalizes.
      to({ af: 'loudnorm' }, /^-n(?:\s+-?\d+(?:\.\d+)?)?$/),
      ...sound('volume=0.5'),
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
    'scale resize rescale scaleto scalewidth',
    [
      of('video', { vf: 'scale=$1:$2' }, /^(-?\d+)(?:px)?\s*[xX×*:,]\s*(-?\d+)(?:px)?$/),
      of('video', { vf: 'scale=-2:$1' }, /^(\d{3,4})p$/i),
      of('video', { vf: 'scale=-2:$1' }, /^x(\d{2,5})$/i),
      of('video', { vf: 'scale=$1:-2' }, /^(\d{2,5})x?$/),
      of('video', { vf: 'scale=iw*$1:-2' }, /^([0-4](?:\.\d+)?)x?$/),
      ...PERCENT,
      such({ vf: 'scale=1280:-2' }, 'video'),
    ],
  ],
  [
    'videocodec videoencoder vencoder codecvideo codecv vcod cv videoc',
    [of('video', { 'c:v': '$&' }), such({ 'c:v': 'libx264' }, 'video')],
  ],
  [
    'audiocodec audioencoder aencoder codecaudio codeca acod ca audioc audioformat',
    [to({ 'c:a': '$&' }), such({ 'c:a': 'aac' })],
  ],
  [
    'subtitlecodec subtitlescodec subcodec subtitleformat subtitlesformat',
    [to({ 'c:s': '$&' }), such({ 'c:s': 'copy' })],
  ],
  [
    'encoder codecname encodewith',
    [of('video', { 'c:v': '$&' }), to({ 'c:a': '$&' }), such({ 'c:v': 'libx264' }, 'video')],
  ],
  [
    'pixelformat pixfmt pixformat pixelfmt colorformat chromasubsampling',
    [of('video', { pix_fmt: '$&' }), such({ pix_fmt: 'yuv420p' }, 'video')],
  ],
  [
    'samplerate audiosamplerate samplingrate audiorate frequency audiofrequency samplefrequency audiosampling hz',
    [to({ ar: '$&' }, HERTZ), such({ ar: '44100' })],
  ],
  [
    'channels audiochannels channelcount nbchannels numchannels numberofchannels channel',
    [to({ ac: '$&' }, /^(?:[12]|mono|stereo)$/i), of('video', { ac: '$&' }, /^[3-68]$/), such({ ac: '2' })],
  ],
  ['sampleformat samplefmt', [to({ sample_fmt: '$&' }), such({ sample_fmt: 's16' })]],
  [
    'gop gopsize keyint keyintmax keyframeinterval keyframes keyframedistance',
    [of('video', { g: '$&' }, COUNT), such({ g: '48' }, 'video')],
  ],
  ['bframes maxbframes', [of('video', { bf: '$&' }, /^(?:\d|1[0-6])$/), such({ bf: '2' }, 'video')]],
  ['referenceframes reframes', [of('video', { refs: '$&' }, /^(?:\d|1[0-6])$/), such({ refs: '4' }, 'video')]],
  [
    'encoderpreset x264preset videopreset speedpreset encodingspeed',
    [
      of('video', { preset: '$&' }, /^(?:(?:ultra|super|very)?fast|faster|medium|slow|slower|veryslow|placebo)$/),
      such({ preset: 'medium' }, 'video'),
    ],
  ],
  [
    'videoprofile h264profile codecprofile',
    [of('video', { 'profile:v': '$&' }, /^(?:baseline|main|high)$/), such({ 'profile:v': 'high' }, 'video')],
  ],
  ['videolevel h264level', [of('video', { level: '$&' }, /^[1-5](?:\.[0-2])?$/), such({ level: '4.1' }, 'video')]],
  [
    'overwrite forceoverwrite overwriteoutput overwriteexisting replaceexisting force replace yes',
    [to({ y: '' }, TRUE), such({ y: '' })],
  ],
  [
    'filters vfilter vfilters videofilter videofilters',
    [of('video', { vf: '$&' }), such({ vf: 'scale=1280:-2' }, 'video')],
  ],
  ['afilter afilters audiofilter audiofilters', [to({ af: '$&' }), ...sound('volume=0.5')]],
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
    [...LANGUAGES, to({ 'metadata:s:a:0': 'language=$&' }, /^\w+$/), such({ 'metadata:s:a:0': 'language=eng' })],
  ],
  ['thumbnail screenshot poster snapshot stillframe singleframe still', [such({ 'frames:v': '1' }, 'video')]],
  [
    'framecount numframes nbframes maxframes numberofframes totalframes frame',
    [of('video', { 'frames:v': '$&' }, /^\d+$/), such({ 'frames:v': '1' }, 'video')],
  ],
  ['copy streamcopy remux codeccopy copycodec copystreams', [such({ c: 'copy' })]],
  ['twopass 2pass passes multipass', [such({ pass: '2', 'b:v': '2M' }, 'video')]],
  ['denoise noisereduction', filter('hqdn3d')],
  ['deinterlace deint', filter('yadif')],
  ['grayscale greyscale blackandwhite bw', filter('hue=s=0')],
  ['blur', filter('gblur=sigma=5')],
  ['sharpen sharpness', filter('unsharp')],
  ['stabilize stabilise', filter('deshake')],
  ...['brightness', 'contrast', 'saturation'].map(
    (name) =>
      [
        name,
        [
          of('video', { vf: `eq=${name}=$&` }, /^-?[0-2]?(?:\.\d+)?$/),
          such({ vf: `eq=${name}=${name === 'brightness' ? '0.1' : '1.2'}` }, 'video'),
        ],
      ] as const,
  ),
  ['reverse', [such({ vf: 'reverse', af: 'areverse' }, 'video'), such({ af: 'areverse' }, 'audio')]],
  ['rate', [to({ ar: '$&' }, HERTZ), to({ r: '$&' }), such({ ar: '44100' }, 'audio'), such({ r: '25' }, 'video')]],
  ['normalize normalise norm normalizeaudio audionormalize loudnessnormalization', sound('loudnorm')],
  [
    'fadein',
    [of('video', { vf: 'fade=t=in:d=$&' }, NUMBER), such({ vf: 'fade=t=in:d=1' }, 'video'), ...sound('afade=t=in:d=1')],
  ],
  ['fadeout', [such({ vf: 'fade=t=out:st=9:d=1' }, 'video'), ...sound('afade=t=out:st=9:d=1')]],
  ['faststart optimize optimise weboptimized webstart streamable progressive', [such({ movflags: '+faststart' })]],
  ['aspectratio dar displayaspectratio', [of('video', { aspect: '$&' }), such({ aspect: '16:9' }, 'video')]],
  [
    'hlssegmenttime hlssegmentduration hlsduration hlssegmentlength',
    [to({ hls_time: '$&' }, NUMBER), such({ hls_time: '6' })],
  ],
  ['threadcount numthreads nbthreads cpus cores', [to({ threads: '$&' }, /^\d{1,2}$/), such({ threads: '2' })]],
  ['repeat loopcount loops', [to({ stream_loop: '$&' }, /^-?\d+$/), such({ stream_loop: '1' })]],
  [
    'filesize maxsize maxfilesize targetsize limitfilesize',
    [to({ fs: '$1$2' }, /^(\d+)\s*([kMG]?)i?B?$/), such({ fs: '10M' })],
  ],
  ['fourcc codectag', [of('video', { 'tag:v': '$&' }), such({ 'tag:v': 'hvc1' }, 'video')]],
  ['audiotrack videotrack stream streams tracks', [such({ map: '0:a:0' })]],
];

const OPTION_MEANINGS = new Map(
  OPTIONS.flatMap(([names, meanings]) => names.split(' ').map((name) => [name, meanings] as const)),
);

/** One option name of other tools for each meaning. */
export const OPTION_WORDS: readonly string[] = OPTIONS.flatMap(([names]) => names.split(' ').slice(0, 1));

/** What an option name of another tool means. The first meaning that leads to a valid option is the right one. */
export const optionMeanings = (name: string): readonly OptionMeaning[] | undefined =>
  OPTION_MEANINGS.get(bareWord(name.replace(/^-+/, '')));

/** Whether an option name of another tool means the quality. The option of ffmpeg for it depends on the encoder. */
export const meansQuality = (name: string): boolean =>
  /^(?:quality|videoquality|imagequality|jpe?gquality|constantquality|quantizer|compression)$/.test(bareWord(name));
