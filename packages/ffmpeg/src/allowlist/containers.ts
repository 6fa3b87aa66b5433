import type { MediaFormat } from '@telecine/contract/domain/media-info.ts';
import { wordSet } from './words.ts';

/** The allowed muxers, reviewed with ffmpeg 5.1 to 9.0. They write only the output, which may be several files. */
export const MUXERS = wordSet(
  '3g2 3gp a64 ac3 ac4 adts adx aea aiff alaw alp amr amv apm apng aptx aptx_hd apv argo_asf argo_cvg ' +
    'asf asf_stream ass ast au avi avif avm2 avs2 avs3 bit caf cavsvideo codec2 codec2raw crc dash daud ' +
    'dfpwm dirac dnxhd dts dv dvd eac3 evc f32be f32le f4v f64be f64le ffmetadata film_cpk filmstrip fits ' +
    'flac flv framecrc framehash framemd5 g722 g723_1 g726 g726le gif gsm gxf h261 h263 h264 hash hevc ' +
    'hls iamf ico ilbc image2 ipod ircam ismv ivf jacosub kvag latm lc3 lrc m4v matroska mcc md5 microdvd ' +
    'mjpeg mkvtimestamp_v2 mlp mmf mov mp2 mp3 mp4 mpeg mpeg1video mpeg2video mpegts mpjpeg mulaw mxf ' +
    'mxf_d10 mxf_opatom nut obu oga ogg ogv oma opus pdv psp rawvideo rcwt rm roq rso s16be s16le s24be ' +
    's24le s32be s32le s8 sbc scc segment smjpeg sox spdif spx srt streamhash sup svcd swf truehd tta ' +
    'ttml u16be u16le u24be u24le u32be u32le u8 vc1 vc1test vcd vidc vob voc vvc w64 wav webm ' +
    'webm_dash_manifest webp webvtt wsaud wtv wv yuv4mpegpipe',
);

/** Muxers that use the network, open devices, contain other muxers, or write no file. */
export const REJECTED_MUXERS = wordSet(
  'alsa audiotoolbox caca decklink fbdev opengl oss pulse sdl sdl2 sndio v4l2 video4linux2 xv chromaprint ' +
    'rtp rtp_mpegts rtsp sap whip tee fifo fifo_test hds smoothstreaming webm_chunk stream_segment ssegment ' +
    'data uncodedframecrc image2pipe null',
);

const AUDIO_ONLY = wordSet(
  'ac3 ac4 adts adx aea alaw amr aptx aptx_hd ast au caf codec2 codec2raw daud dfpwm dts eac3 f32be f32le f64be f64le ' +
    'g722 g723_1 g726 g726le gsm ilbc ircam latm lc3 mlp mmf mp2 mulaw opus rso s16be s16le s24be s24le s32be s32le s8 ' +
    'sbc sox spdif spx truehd u16be u16le u24be u24le u32be u32le u8 voc w64 wav wsaud wv',
);

/** Audio containers that can contain a cover image, but no video. */
const COVER_ONLY = wordSet('aiff flac mp3 oma tta');

const VIDEO_ONLY = wordSet(
  'apng avif avs2 avs3 cavsvideo dirac dnxhd evc gif h261 h263 h264 hevc ico image2 ivf m4v mjpeg mpeg1video mpeg2video ' +
    'mpjpeg obu rawvideo vc1 vvc webp yuv4mpegpipe',
);

const SUBTITLES_ONLY = wordSet('ass jacosub lrc microdvd mpl2 scc srt sup ttml webvtt');

export const holdsNoVideo = (muxer: string): boolean => AUDIO_ONLY.has(muxer);

export const holdsOnlyCover = (muxer: string): boolean => COVER_ONLY.has(muxer);

export const holdsOnlySubtitles = (muxer: string): boolean => SUBTITLES_ONLY.has(muxer);

/** The only kind of streams that a format holds, besides a cover. undefined: it holds several kinds. */
export function kindOfFormat(muxer: string): 'video' | 'audio' | 'subtitle' | undefined {
  if (holdsOnlySubtitles(muxer)) return 'subtitle';
  return holdsNoVideo(muxer) || holdsOnlyCover(muxer) ? 'audio' : holdsNoAudio(muxer) ? 'video' : undefined;
}

export const holdsNoAudio = (muxer: string): boolean => VIDEO_ONLY.has(muxer);

/** Matches the demuxers of still images. For them, ffprobe reports the duration of one frame. */
export const STILL = /^(?:image2|[a-z0-9]+_pipe)$/;

/** Streams without an index. A seek finds no key frame in them, so that the picture would begin with the next one. */
export const isWithoutIndex = ({ names }: MediaFormat): boolean => /^mpeg(?:ts)?$/.test(names[0] ?? '');

/** How much of a stream without an index is read before a part, in seconds: key frames are rarely further apart. */
export const LEAD_SECONDS = 10;

/** True for AAC and MP3, whose duration ffprobe only estimates, from the bit rate. */
export const isLengthEstimated = ({ names }: Pick<MediaFormat, 'names'>): boolean =>
  names.includes('aac') || names.includes('mp3');

/** The length of a file in seconds. ffmpeg states as the duration of Matroska when it ends, also if its times begin late. */
export const lengthOfFile = (stated: number, names: readonly string[], start = 0, writer = ''): number =>
  names.includes('matroska') && writer.startsWith('Lavf') && start > 0 && start < stated
    ? Number((stated - start).toFixed(6))
    : stated;
