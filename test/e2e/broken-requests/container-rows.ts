import type { BrokenRequest } from './broken-request.ts';

/** Codecs, tags and streams that the container does not hold. */
export const CONTAINER_ROWS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.3gp', parameters: { 'c:v': 'libx264' } },
    code: 'UNSUPPORTED',
    cause: 'The format 3gp has no encoder by default for a stream that "map" selects (codec amr_nb).',
    right: { parameters: { 'c:v': 'libx264', 'c:a': 'aac' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.dv', parameters: { 'c:v': 'dvvideo' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): Found no DV profile for 854x480 yuv420p video.',
    right: { parameters: { target: 'pal-dv' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.aiff', parameters: { 'c:a': 'adpcm_ima_wav', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format aiff cannot hold its streams (adpcm_ima_wav).',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.flac', parameters: { 'c:a': 'pcm_s16le' } },
    code: 'UNSUPPORTED',
    cause:
      'The format flac cannot hold its streams (png, pcm_s16le): Invalid audio stream. Exactly one FLAC audio stream is required.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold a copy of h264 and aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp3 cannot hold a copy of aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.gif', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format gif cannot hold a copy of h264 and aac.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause:
      'The format mpeg (.mpg) cannot hold its streams (h264, aac): Unsupported audio codec. Must be one of mp1, mp2, mp3, 16-bit pcm_dvd, pcm_s16be, ac3 or dts.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ivf', parameters: { c: 'copy', an: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ivf cannot hold its streams (h264): Currently only VP8, VP9 and AV1 are supported!.',
    right: { parameters: { an: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.opus', parameters: { c: 'copy', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format opus cannot hold a copy of aac.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'subs.srt', output: 'x.mkv', parameters: { 'c:s': 'dvdsub' } },
    code: 'UNSUPPORTED',
    cause: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    right: { parameters: { 'c:s': 'copy' } },
  },
  {
    request: { input: 'subs.srt', output: 'x.ts', parameters: { 'c:s': 'dvb_subtitle' } },
    code: 'UNSUPPORTED',
    cause: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    right: { output: 'x.mkv', parameters: { 'c:s': 'srt' } },
  },
  {
    request: { input: 'mp4v.mp4', output: 'x.mp4', parameters: { 'bsf:v': 'h264_mp4toannexb', c: 'copy' } },
    code: 'FFMPEG_FAILED',
    cause:
      "ffmpeg rejected a value of the request: Codec 'mpeg4' (12) is not supported by the bitstream filter 'h264_mp4toannexb'. Supported codecs are: h264 (27).",
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ts', parameters: { 'bsf:v': 'hevc_mp4toannexb', c: 'copy' } },
    code: 'FFMPEG_FAILED',
    cause:
      "ffmpeg rejected a value of the request: Codec 'h264' (27) is not supported by the bitstream filter 'hevc_mp4toannexb'. Supported codecs are: hevc (173).",
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'song.mkv', output: 'x.mp4', parameters: { 'bsf:a': 'aac_adtstoasc', c: 'copy' } },
    code: 'FFMPEG_FAILED',
    cause:
      "ffmpeg rejected a value of the request: Codec 'mp3' (86017) is not supported by the bitstream filter 'aac_adtstoasc'. Supported codecs are: aac (86018).",
    right: { parameters: { c: 'copy' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mkv', parameters: { 'bsf:v': 'vp9_superframe', c: 'copy' } },
    code: 'FFMPEG_FAILED',
    cause:
      "ffmpeg rejected a value of the request: Codec 'h264' (27) is not supported by the bitstream filter 'vp9_superframe'. Supported codecs are: vp9 (167).",
    right: { parameters: { c: 'copy' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.mp4',
      parameters: { 'tag:v': 'xxxx', 'c:v': 'libx264', preset: 'ultrafast' },
    },
    code: 'FFMPEG_FAILED',
    cause: "ffmpeg rejected a value of the request: Tag xxxx incompatible with output codec id '27' (avc1).",
    right: { parameters: { 'c:v': 'libx264', preset: 'ultrafast', 'tag:v': 'avc1' } },
  },
  {
    request: { input: 'vp9.webm', output: 'x.mp3', parameters: { 'c:a': 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp3 cannot hold a copy of opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause:
      'The format mp3 cannot hold its streams (aac): Invalid audio stream. Exactly one MP3 audio stream is required.',
    right: { parameters: {} },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.webm',
      parameters: { 'c:v': 'libvpx-vp9', 'cpu-used': '8', 'c:a': 'copy' },
    },
    code: 'UNSUPPORTED',
    cause: 'The format webm cannot hold a copy of aac.',
    right: { parameters: { 'c:v': 'libvpx-vp9', 'c:a': 'libopus', 'cpu-used': '8' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mp4', parameters: { map: ['0:v', '1'], s: '214x120' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 gets no codec for subtitles by default.',
    right: { parameters: { map: ['0:v', '1'], s: '214x120', 'c:s': 'mov_text' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.webm', parameters: { 'c:v': 'libx264' } },
    code: 'UNSUPPORTED',
    cause: 'Only VP8 or VP9 or AV1 video and Vorbis or Opus audio and WebVTT subtitles are supported for WebM.',
    right: { parameters: { s: '214x120' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.webm', parameters: { 'c:s': 'srt', s: '214x120' } },
    code: 'UNSUPPORTED',
    cause:
      'The format webm cannot hold its streams (vp9, opus, subrip): Only VP8 or VP9 or AV1 video and Vorbis or Opus audio and WebVTT subtitles are supported for WebM.',
    right: { parameters: { 'c:s': 'webvtt', s: '214x120' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.ogg', parameters: { 'c:a': 'aac', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold its streams (aac): Unsupported codec id in stream 0.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'subs.mkv', output: 'x.mp4', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold a copy of subrip.',
    right: { parameters: { c: 'copy', map: '0', 'c:s': 'mov_text' } },
  },
  {
    request: {
      inputs: ['movie.mp4', 'subs.srt'],
      output: 'x.mp4',
      parameters: { 'c:s': 'srt', 'c:v': 'copy', 'c:a': 'copy' },
    },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold subrip subtitles.',
    right: { parameters: { 'c:s': 'mov_text', 'c:v': 'copy', 'c:a': 'copy' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mov', parameters: { 'c:s': 'ass' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold ass subtitles.',
    right: { parameters: { sn: '' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.mkv', parameters: { 'c:s': 'mov_text' } },
    code: 'UNSUPPORTED',
    cause:
      'The format matroska (.mkv) cannot hold its streams (h264, vorbis, mov_text): Subtitle codec 94213 is not supported.',
    right: { parameters: { 'c:s': 'srt' } },
  },
  {
    request: { inputs: ['movie.mp4', 'subs.srt'], output: 'x.avi', parameters: { 'c:s': 'srt' } },
    code: 'UNSUPPORTED',
    cause: 'The format avi cannot hold its streams (mpeg4, mp3, subrip).',
    right: { parameters: { sn: '' } },
  },
  {
    request: { input: 'subs.srt', output: 'x.vtt', parameters: { 'c:s': 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format webvtt (.vtt) cannot hold its streams (subrip): Exactly one WebVTT stream is needed.',
    right: { parameters: {} },
  },
  {
    request: { input: 'alaw.wav', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold a copy of pcm_alaw.',
    right: { parameters: {} },
  },
  {
    request: { input: 'old.wma', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold a copy of wmav2.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'rawvideo' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold rawvideo.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'prores_ks' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold prores.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.flv', parameters: { vn: '', 'c:a': 'libmp3lame', ar: '32000' } },
    code: 'UNSUPPORTED',
    cause: 'The format FLV supports only these sample rates: 44100, 22050, 11025.',
    right: { parameters: { vn: '', 'c:a': 'libmp3lame', ar: '44100' } },
  },
  {
    request: { input: 'vp9.webm', output: 'x.mov', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold a copy of vp9 and opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'c:a': 'libmp3lame', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold mp3.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { 'c:a': 'pcm_s16le', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold pcm_s16le.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'song.mp3', output: 'x.3gp', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format 3gp cannot hold mp3.',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'vp9.webm', output: 'x.avi', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format avi cannot hold a copy of opus.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.avi', parameters: { 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format avi cannot hold its streams (mpeg4, opus).',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wmv', parameters: { 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format asf (.wmv) cannot hold its streams (msmpeg4v3, opus).',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.wav', parameters: { 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format wav cannot hold its streams (opus): Codec opus not supported in WAVE format.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.aiff', parameters: { c: 'copy', vn: '' } },
    code: 'UNSUPPORTED',
    cause: 'The format aiff cannot hold its streams (aac): block align not set.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.au', parameters: { 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause: 'The format au cannot hold its streams (aac): unsupported codec.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.flv', parameters: { 'c:v': 'libx264', 'c:a': 'libopus' } },
    code: 'UNSUPPORTED',
    cause: 'The format flv cannot hold opus.',
    right: { parameters: { 'c:v': 'libx264' } },
  },
  {
    request: { input: 'vp9.webm', output: 'x.mov', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold a copy of vp9 and opus.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mov', parameters: { 'c:a': 'flac' } },
    code: 'UNSUPPORTED',
    cause: 'The format mov cannot hold its streams (h264, flac): flac only supported in MP4.',
    right: { parameters: {} },
  },
  {
    request: { input: 'timecode.mov', output: 'x.mkv', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format matroska (.mkv) cannot hold the data streams of the input, such as a time code.',
    right: { parameters: { c: 'copy', map: '0', dn: '' } },
  },
  {
    request: { input: 'timecode.mov', output: 'x.mp4', parameters: { c: 'copy', map: '0' } },
    code: 'UNSUPPORTED',
    cause: 'The format mp4 cannot hold the data streams of the input, such as a time code.',
    right: { parameters: { c: 'copy', map: '0', dn: '' } },
  },
  {
    request: { input: 'cover.mp3', output: 'x.m4a', parameters: { 'c:v': 'libx265' } },
    code: 'UNSUPPORTED',
    cause: 'The format ipod (.m4a) cannot hold a cover that is encoded as hevc.',
    right: { parameters: { vn: '' } },
  },
  {
    request: { input: 'cover.mp3', output: 'x.ogg', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause: 'The format ogg cannot hold a copy of png and mp3.',
    right: { output: 'x.mkv' },
  },
  {
    request: { input: 'lossless.thd', output: 'x.mp4', parameters: { c: 'copy' } },
    code: 'UNSUPPORTED',
    cause:
      "The format mp4 cannot hold its streams (truehd): truehd in MP4 support is experimental, add '-strict -2' if you want to use it.",
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.swf', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'The format swf supports only these sample rates: 44100, 22050, 11025.',
    right: { parameters: { ar: '44100' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mxf', parameters: { 'c:v': 'mpeg2video', 'c:a': 'aac', r: '25' } },
    code: 'FFMPEG_FAILED',
    cause:
      "ffmpeg rejected a value of the request: Codec 'aac' (86018) is not supported by the bitstream filter 'pcm_rechunk'. Supported codecs are: pcm_s16le",
    right: { parameters: { 'c:v': 'mpeg2video', 'c:a': 'pcm_s16le', r: '25' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.dv', parameters: { 'c:v': 'mpeg4' } },
    code: 'UNSUPPORTED',
    cause: "The format dv cannot hold its streams (mpeg4, pcm_s16le): Can't initialize DV format!.",
    right: { parameters: { target: 'pal-dv' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.y4m', parameters: { pix_fmt: 'rgb24' } },
    code: 'UNSUPPORTED',
    cause: 'The format yuv4mpegpipe (.y4m) cannot hold its streams (wrapped_avframe).',
    right: { parameters: { pix_fmt: 'yuv420p' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpg', parameters: { 'c:v': 'libx264', 'c:a': 'aac' } },
    code: 'UNSUPPORTED',
    cause:
      'The format mpeg (.mpg) cannot hold its streams (h264, aac): Unsupported audio codec. Must be one of mp1, mp2, mp3, 16-bit pcm_dvd, pcm_s16be, ac3 or dts.',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', 'tag:v': 'hvc1' } },
    code: 'FFMPEG_FAILED',
    cause: "ffmpeg rejected a value of the request: Tag hvc1 incompatible with output codec id '27' (avc1).",
    right: { parameters: { 'c:v': 'libx264', 'tag:v': 'avc1' } },
  },
];
