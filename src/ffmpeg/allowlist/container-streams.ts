/** The kinds of streams that containers support, for containers that do not support every kind. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const SOUND_ONLY = words(
  'ac3 ac4 adts adx aea alaw amr aptx aptx_hd ast au caf codec2 codec2raw daud dfpwm dts eac3 f32be f32le f64be f64le ' +
    'g722 g723_1 g726 g726le gsm ilbc ircam latm lc3 mlp mmf mp2 mulaw opus rso s16be s16le s24be s24le s32be s32le s8 ' +
    'sbc sox spdif spx truehd u16be u16le u24be u24le u32be u32le u8 voc w64 wav wsaud wv',
);

/** Containers for audio that can also contain a cover picture, but not a video. */
const COVER_ONLY = words('aiff flac mp3 oma tta');

const PICTURE_ONLY = words(
  'apng avif avs2 avs3 cavsvideo dirac dnxhd evc gif h261 h263 h264 hevc ico image2 ivf m4v mjpeg mpeg1video mpeg2video ' +
    'mpjpeg obu rawvideo vc1 vvc webp yuv4mpegpipe',
);

const SUBTITLES_ONLY = words('ass jacosub lrc microdvd mpl2 scc srt sup ttml webvtt');

/** Muxers that reject a second stream of the kind that they hold, as tried with ffmpeg 5.1. */
const ONE_STREAM = words('mp3 wav flac aiff caf au tta wv ac3 eac3 srt ass webvtt lrc ttml');

export const holdsOneStream = (muxer: string): boolean => ONE_STREAM.has(muxer);

export const holdsNoVideo = (muxer: string): boolean => SOUND_ONLY.has(muxer);

/** Whether the container supports pictures only as covers. */
export const holdsOnlyCover = (muxer: string): boolean => COVER_ONLY.has(muxer);

export const holdsOnlySubtitles = (muxer: string): boolean => SUBTITLES_ONLY.has(muxer);

export const holdsNoSound = (muxer: string): boolean => PICTURE_ONLY.has(muxer);
