/**
 * Allowed muxers, reviewed against ffmpeg 5.1 to 9.0. They write only the output, or several files if the format
 * consists of several. A muxer that only a newer build has is rejected until it is reviewed.
 */
export const MUXERS: ReadonlySet<string> = new Set(
  (
    '3g2 3gp a64 ac3 ac4 adts adx aea aiff alaw alp amr amv apm apng aptx aptx_hd apv argo_asf argo_cvg ' +
    'asf asf_stream ass ast au avi avif avm2 avs2 avs3 bit caf cavsvideo codec2 codec2raw crc dash daud ' +
    'dfpwm dirac dnxhd dts dv dvd eac3 evc f32be f32le f4v f64be f64le ffmetadata film_cpk filmstrip fits ' +
    'flac flv framecrc framehash framemd5 g722 g723_1 g726 g726le gif gsm gxf h261 h263 h264 hash hevc ' +
    'hls iamf ico ilbc image2 ipod ircam ismv ivf jacosub kvag latm lc3 lrc m4v matroska mcc md5 microdvd ' +
    'mjpeg mkvtimestamp_v2 mlp mmf mov mp2 mp3 mp4 mpeg mpeg1video mpeg2video mpegts mpjpeg mulaw mxf ' +
    'mxf_d10 mxf_opatom nut obu oga ogg ogv oma opus pdv psp rawvideo rcwt rm roq rso s16be s16le s24be ' +
    's24le s32be s32le s8 sbc scc segment smjpeg sox spdif spx srt streamhash sup svcd swf truehd tta ' +
    'ttml u16be u16le u24be u24le u32be u32le u8 vc1 vc1test vcd vidc vob voc vvc w64 wav webm ' +
    'webm_dash_manifest webp webvtt wsaud wtv wv yuv4mpegpipe'
  ).split(' '),
);

/** Muxers that use the network, open devices, contain other muxers, or write no file. */
export const REJECTED_MUXERS: ReadonlySet<string> = new Set(
  (
    'alsa audiotoolbox caca decklink fbdev opengl oss pulse sdl sdl2 sndio v4l2 video4linux2 xv chromaprint ' +
    'rtp rtp_mpegts rtsp sap whip tee fifo fifo_test hds smoothstreaming webm_chunk stream_segment ssegment ' +
    'data uncodedframecrc image2pipe null'
  ).split(' '),
);
