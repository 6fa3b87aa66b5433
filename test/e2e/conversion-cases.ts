import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';

/** What ffprobe must report about a result. */
interface Wanted {
  /** One of the names of the demuxer that reads it. */
  readonly format: string;
  /** The duration. undefined: a picture, which has none. */
  readonly seconds?: number;
  /** All streams in order, with the fields to compare. */
  readonly streams: readonly Readonly<Record<string, unknown>>[];
  readonly tags?: Readonly<Record<string, string>>;
}

interface ConversionCase {
  readonly title: string;
  readonly request: ConversionRequest;
  readonly wanted: Wanted;
}

/** Inputs in the media root: three seconds of video, twelve of audio, a picture, ten numbered pictures, subtitles. */
export const MEDIA = {
  movie: 'movie.mp4',
  sound: 'lena.flac',
  wave: 'lena.wav',
  picture: 'title.png',
  pictures: 'frames/img%03d.png',
  subtitles: 'words.srt',
} as const;

const h264 = { codec_name: 'h264', width: 854, height: 480 };
const aac = { codec_name: 'aac', sample_rate: '48000', channels: 6 };
const mono = { sample_rate: '44100', channels: 1 };
const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;

const { movie, sound, wave, picture, pictures, subtitles } = MEDIA;

export const CONVERSION_CASES: readonly ConversionCase[] = [
  {
    title: 'converts MP4 to WebM',
    request: {
      input: movie,
      output: 'webm/a.webm',
      format: 'webm',
      parameters: {
        ...{ 'c:v': 'libvpx-vp9', deadline: 'realtime', 'cpu-used': '8', 'b:v': '200k', s: '426x240' },
        ...{ 'c:a': 'libopus', 'b:a': '64k', ac: '2', t: '2' },
      },
    },
    wanted: {
      format: 'webm',
      seconds: 2,
      streams: [
        { codec_name: 'vp9', width: 426, height: 240 },
        { codec_name: 'opus', channels: 2 },
      ],
    },
  },
  {
    title: 'encodes a part of the input as H.264 with a filter, CRF and preset',
    request: {
      input: movie,
      output: 'h264/a.mp4',
      format: 'mp4',
      parameters: { ...QUICK, crf: '30', vf: 'scale=320:-2', ss: '0.5', t: '1.5', 'c:a': 'aac', 'b:a': '96k' },
    },
    wanted: { format: 'mp4', seconds: 1.5, streams: [{ codec_name: 'h264', width: 320, height: 180 }, aac] },
  },
  {
    title: 'encodes in two passes to a bit rate',
    request: {
      input: movie,
      output: 'two/a.mp4',
      parameters: { ...QUICK, 'b:v': '200k', pass: '2', s: '320x180', t: '1', an: '' },
    },
    wanted: { format: 'mp4', seconds: 1, streams: [{ codec_name: 'h264', width: 320, height: 180 }] },
  },
  {
    title: 'extracts the audio of a movie as MP3',
    request: {
      input: movie,
      output: 'sound/a.mp3',
      parameters: { vn: '', 'c:a': 'libmp3lame', 'b:a': '128k', ac: '2' },
    },
    wanted: { format: 'mp3', seconds: 3, streams: [{ codec_name: 'mp3', channels: 2, sample_rate: '48000' }] },
  },
  {
    title: 'converts FLAC to AAC',
    request: { input: sound, output: 'aac/a.m4a', parameters: { 'c:a': 'aac', 'b:a': '96k' } },
    wanted: { format: 'm4a', seconds: 12.27, streams: [{ codec_name: 'aac', ...mono }] },
  },
  {
    title: 'takes an extension as "format"',
    request: { input: sound, output: 'aac/raw', format: 'aac' },
    wanted: { format: 'aac', seconds: 12.27, streams: [{ codec_name: 'aac', ...mono }] },
  },
  {
    title: 'converts WAV to MP3 by the extension of the output',
    request: { input: wave, output: 'wave/a.mp3' },
    wanted: { format: 'mp3', seconds: 12.27, streams: [{ codec_name: 'mp3', ...mono }] },
  },
  {
    title: 'converts WAV to Opus by the extension of the output',
    request: { input: wave, output: 'wave/a.opus' },
    wanted: { format: 'ogg', seconds: 12.27, streams: [{ codec_name: 'opus', channels: 1 }] },
  },
  {
    title: 'converts WAV to FLAC by the extension of the output',
    request: { input: wave, output: 'wave/a.flac' },
    wanted: { format: 'flac', seconds: 12.27, streams: [{ codec_name: 'flac', ...mono }] },
  },
  {
    title: 'changes the container without re-encoding',
    request: { input: movie, output: 'copy/a.mkv', format: 'mkv', parameters: { c: 'copy' } },
    wanted: { format: 'matroska', seconds: 3, streams: [h264, aac] },
  },
  {
    title: 'takes the name of a muxer as "format"',
    request: { input: movie, output: 'copy/b.bin', format: 'matroska', parameters: { c: 'copy', an: 'true' } },
    wanted: { format: 'matroska', seconds: 3, streams: [h264] },
  },
  {
    title: 'takes the name of a muxer as the option "f"',
    request: { input: movie, output: 'copy/c.bin', parameters: { c: 'copy', f: 'mpegts', an: 'false' } },
    wanted: { format: 'mpegts', seconds: 3, streams: [h264, aac] },
  },
  {
    title: 'makes a GIF',
    request: { input: movie, output: 'gif/a.gif', parameters: { vf: 'fps=5,scale=160:-2', t: '2' } },
    wanted: {
      format: 'gif',
      seconds: 2,
      streams: [{ codec_name: 'gif', width: 160, height: 90, avg_frame_rate: '5/1' }],
    },
  },
  {
    title: 'extracts one frame as JPEG',
    request: {
      input: movie,
      output: 'still/a.jpg',
      format: 'jpg',
      parameters: { ss: '1', 'frames:v': '1', 'q:v': '3', s: '426x240' },
    },
    wanted: { format: 'image2', streams: [{ codec_name: 'mjpeg', width: 426, height: 240 }] },
  },
  {
    title: 'writes a PNG to an output without an extension',
    request: { input: movie, output: 'still/thumbnail', format: 'png', parameters: { 'frames:v': '1' } },
    wanted: { format: 'png_pipe', streams: [{ codec_name: 'png', width: 854, height: 480 }] },
  },
  {
    title: 'makes a movie of numbered pictures',
    request: {
      input: pictures,
      output: 'sequence/a.mp4',
      parameters: { ...QUICK, framerate: '5', pix_fmt: 'yuv420p' },
    },
    wanted: {
      format: 'mp4',
      seconds: 2,
      streams: [{ codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '5/1', pix_fmt: 'yuv420p' }],
    },
  },
  {
    title: 'makes a movie of pictures by a glob pattern, with audio',
    request: {
      inputs: [{ input: 'frames/img00*.png', parameters: { pattern_type: 'glob' } }, sound],
      output: 'sequence/b.mp4',
      parameters: { ...QUICK, framerate: '3', pix_fmt: 'yuv420p', 'c:a': 'aac', shortest: '' },
    },
    wanted: {
      format: 'mp4',
      seconds: 3,
      streams: [
        { codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '3/1' },
        { codec_name: 'aac', ...mono },
      ],
    },
  },
  {
    title: 'makes a movie of one picture with a duration, with audio',
    request: {
      inputs: [{ input: picture, duration: '2.5' }, sound],
      output: 'slide/a.mp4',
      parameters: { ...QUICK, pix_fmt: 'yuv420p', 'c:a': 'aac', shortest: '' },
    },
    wanted: {
      format: 'mp4',
      seconds: 2.5,
      streams: [
        { codec_name: 'h264', width: 320, height: 180 },
        { codec_name: 'aac', ...mono },
      ],
    },
  },
  {
    title: 'takes the video of one input and the audio of another',
    request: {
      inputs: [movie, { input: sound, parameters: { ss: '2', t: '2' } }],
      output: 'mapped/a.mp4',
      parameters: { map: ['0:v:0', '1:a:0'], 'c:v': 'copy', 'c:a': 'aac', t: '2' },
    },
    wanted: { format: 'mp4', seconds: 2, streams: [h264, { codec_name: 'aac', ...mono }] },
  },
  {
    title: 'sets several tags and applies a filtergraph to two inputs',
    request: {
      inputs: [movie, picture],
      output: 'meta/a.mkv',
      parameters: {
        ...{ filter_complex: '[0:v]scale=320:180[v];[v][1:v]overlay=x=10:y=10[out]', map: '[out]' },
        ...QUICK,
        ...{ metadata: ['title=Ein Hase: "groß" & klein', 'artist=Bücher; Söhne'], t: '1' },
      },
    },
    wanted: {
      format: 'matroska',
      seconds: 1,
      streams: [{ codec_name: 'h264', width: 320, height: 180 }],
      tags: { title: 'Ein Hase: "groß" & klein', ARTIST: 'Bücher; Söhne' },
    },
  },
  {
    title: 'adds a subtitle stream to video and audio',
    request: {
      inputs: [movie, subtitles],
      output: 'subtitles/a.mp4',
      parameters: {
        map: ['0', '1'],
        'c:v': 'copy',
        'c:a': 'copy',
        'c:s': 'mov_text',
        'metadata:s:s:0': 'language=deu',
      },
    },
    wanted: { format: 'mp4', seconds: 3, streams: [h264, aac, { codec_name: 'mov_text', tags: { language: 'deu' } }] },
  },
  {
    title: 'converts SubRip to WebVTT',
    request: { input: subtitles, output: 'subtitles/a.vtt' },
    wanted: { format: 'webvtt', streams: [{ codec_name: 'webvtt' }] },
  },
];
