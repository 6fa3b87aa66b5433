import { mediaInfoSchema, probeBody } from '../probe.ts';
import { jsonReply, type Operations, token } from './operation.ts';

const MEDIA_INFO_EXAMPLE = {
  format: {
    names: ['mov', 'mp4', 'm4a', '3gp', '3g2', 'mj2'],
    description: 'QuickTime / MOV',
    durationSeconds: 30.022,
    startSeconds: 0,
    sizeBytes: 4_139_823,
    bitRate: 1_103_143,
    score: 100,
    tags: { major_brand: 'isom' },
  },
  streams: [
    {
      index: 0,
      type: 'video',
      codec: 'h264',
      codecTag: 'avc1',
      profile: 'High',
      level: 30,
      durationSeconds: 30,
      bitRate: 906_282,
      frameCount: 720,
      timeBase: '1/12288',
      disposition: ['default'],
      width: 854,
      height: 480,
      frameRate: 24,
      frameRateExact: '24/1',
      pixelFormat: 'yuv420p',
      fieldOrder: 'progressive',
      isAttachedPicture: false,
      tags: { language: 'und' },
    },
  ],
  chapters: [],
};

export const PROBE_OPERATIONS = {
  probeFile: {
    tag: 'Files',
    summary: 'Probe a file',
    description:
      'Returns what ffprobe reports about one file: container, streams, chapters and tags. ffprobe runs in the same ' +
      'sandbox and allows the same formats as a conversion, with a short timeout. The texts in the reply come from the ' +
      'file: do not trust them. A URL also needs the scope `jobs:write`.',
    access: token('jobs:read', 'files:read'),
    body: { type: 'application/json', schema: probeBody, example: { input: 'movies/in.mov' } },
    limit: 'probes',
    replies: { 200: jsonReply('The contents of the file.', mediaInfoSchema, MEDIA_INFO_EXAMPLE) },
    problems: ['INPUT_NOT_FOUND', 'INPUT_INVALID', 'INPUT_UNAVAILABLE', 'UNSUPPORTED', 'TIMEOUT', 'NOT_IMPLEMENTED'],
  },
} satisfies Operations;
