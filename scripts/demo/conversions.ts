import { type Sample, sampleName } from '../lib/samples.ts';

/** The properties that ffprobe must report for a result. */
export interface Expected {
  /** One of the names of the demuxer. */
  readonly format: string;
  readonly video?: { readonly codec: string; readonly width: number; readonly height: number };
  readonly audio?: { readonly codec: string };
  /** The duration in seconds; undefined for an image. */
  readonly seconds?: number;
}

export interface DemoConversion {
  readonly title: string;
  readonly endpoint: '/api/conversion' | '/mcp';
  readonly sample: Sample;
  /** The file name of the result in `RESULT_FOLDER`. Its extension is the format. */
  readonly result: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

/** Folders under the media root. */
export const [SAMPLE_FOLDER, RESULT_FOLDER] = ['samples', 'results'];

export function body({ endpoint, sample, result, parameters }: DemoConversion, folder = RESULT_FOLDER) {
  return {
    input: `${SAMPLE_FOLDER}/${sampleName(sample)}`,
    output: `${folder}/${result}`,
    format: result.slice(result.lastIndexOf('.') + 1),
    parameters,
    ...(endpoint === '/mcp' ? { llmId: 'demo-assistant' } : {}),
  };
}

/** The conversions of the demo, the longest first. */
export const DEMO_CONVERSIONS: readonly DemoConversion[] = [
  {
    title: '1080p to 720p H.264',
    endpoint: '/api/conversion',
    sample: '1080p',
    result: '720p.mp4',
    parameters: {
      t: '5',
      vf: 'scale=1280:720',
      'c:v': 'libx264',
      preset: 'veryfast',
      crf: '26',
      'c:a': 'aac',
      'b:a': '96k',
    },
    expected: {
      format: 'mp4',
      video: { codec: 'h264', width: 1280, height: 720 },
      audio: { codec: 'aac' },
      seconds: 5,
    },
  },
  {
    title: '480p to 240p WebM',
    endpoint: '/api/conversion',
    sample: '480p',
    result: '240p.webm',
    parameters: {
      t: '5',
      vf: 'scale=426:240',
      'c:v': 'libvpx-vp9',
      deadline: 'realtime',
      'cpu-used': '8',
      'b:v': '250k',
      'c:a': 'libopus',
      'b:a': '64k',
    },
    expected: {
      format: 'webm',
      video: { codec: 'vp9', width: 426, height: 240 },
      audio: { codec: 'opus' },
      seconds: 5,
    },
  },
  {
    title: 'sound track to MP3',
    endpoint: '/mcp',
    sample: '480p',
    result: 'soundtrack.mp3',
    parameters: { vn: '', 'c:a': 'libmp3lame', 'b:a': '128k' },
    expected: { format: 'mp3', audio: { codec: 'mp3' }, seconds: 30 },
  },
  {
    title: 'three seconds to GIF',
    endpoint: '/api/conversion',
    sample: '480p',
    result: 'clip.gif',
    parameters: {
      ss: '8',
      t: '3',
      vf: 'fps=10,scale=320:180:flags=lanczos',
    },
    expected: { format: 'gif', video: { codec: 'gif', width: 320, height: 180 }, seconds: 3 },
  },
  {
    title: 'FLAC to AAC',
    endpoint: '/api/conversion',
    sample: 'flac',
    result: 'lena.m4a',
    parameters: { 'c:a': 'aac', 'b:a': '160k' },
    expected: { format: 'm4a', audio: { codec: 'aac' }, seconds: 12.3 },
  },
  {
    title: 'ten seconds, no encode',
    endpoint: '/mcp',
    sample: '1080p60',
    result: 'excerpt.mkv',
    parameters: { t: '10', c: 'copy' },
    expected: {
      format: 'matroska',
      video: { codec: 'h264', width: 1920, height: 1080 },
      audio: { codec: 'aac' },
      seconds: 10,
    },
  },
  {
    title: 'one frame to JPEG',
    endpoint: '/api/conversion',
    sample: '1080p',
    result: 'thumbnail.jpg',
    parameters: { ss: '4', 'frames:v': '1', vf: 'scale=640:360', 'q:v': '3' },
    expected: { format: 'image2', video: { codec: 'mjpeg', width: 640, height: 360 } },
  },
];
