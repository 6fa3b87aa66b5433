// @module-tag long
import { expect, test } from 'vitest';
import type { ChunkTemplates, ForcedKeyFrames } from '../../packages/contract/src/domain/chunks.ts';
import { growthError } from '../support/growth.ts';
import { resultOf } from '../support/result-of-steps.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { SourceIndexReader } = await import('../../packages/ffmpeg/src/chunks/source-index.ts');
const { cutChunks } = await import('../../packages/ffmpeg/src/chunks/cut-points.ts');

const TEMPLATES: ChunkTemplates = {
  input: 'in/0.mp4',
  families: [{ argv: [], extension: 'mp4', videos: 1 }],
  outputs: [],
  joinHead: [],
  svtLevels: false,
  countsFromReadStreams: true,
  frameRateModes: ['cfr', 'vfr'],
  cutsAtKeyFrames: false,
};

/** The lines of ffprobe for a film with a B-frame between any two frames. */
const linesOf = (frames: number, isKey: (frame: number) => boolean): readonly string[] => [
  ...Array.from({ length: frames }, (_, at) => {
    const shown = at === 0 ? 0 : at % 2 === 1 ? at + 1 : at - 1;
    return `packet|codec_type=video|stream_index=0|pts=${shown}|dts=${at - 1}|duration=1|size=500|pos=${1000 + at * 500}|flags=${isKey(shown) ? 'K_' : '__'}`;
  }),
  'stream|index=0|codec_name=h264|codec_type=video|r_frame_rate=25/1|avg_frame_rate=25/1|time_base=1/25',
  `format|format_name=mov,mp4|start_time=0.000000|duration=${frames / 25}.000000|size=${1000 + frames * 500}`,
];

interface Film {
  readonly isKey?: (frame: number) => boolean;
  readonly modes?: ChunkTemplates['frameRateModes'];
  /** The requested key frames of a film of so many seconds. */
  readonly forced?: (seconds: number) => ForcedKeyFrames;
}

const each = (seconds: number): ForcedKeyFrames => ({
  seconds: Array.from({ length: Math.floor(seconds * 2) }, (_, at) => at / 2),
});

const FILMS: Readonly<Record<string, Film>> = {
  'with key frames': {},
  'with one key frame': { isKey: (frame) => frame === 0 },
  'with a key frame for each frame': { modes: ['cfr'], forced: () => ({ everySeconds: 0.04 }) },
  'with listed key frames': { modes: ['cfr'], forced: each },
  'with a variable rate and a key frame for each frame': { modes: ['vfr'], forced: () => ({ everySeconds: 0.04 }) },
  'with a variable rate and listed key frames': { modes: ['vfr'], forced: each },
};

test.each(Object.keys(FILMS))('the work to cut a film grows linearly: %s', async (title) => {
  const { isKey = (frame: number) => frame % 50 === 0, modes = ['cfr', 'vfr'], forced } = FILMS[title] ?? {};
  const prepare = (frames: number) => {
    const lines = linesOf(frames, isKey);
    const forcedKeyFrames = forced?.(frames / 25);
    const planned = { ...TEMPLATES, frameRateModes: modes, ...(forcedKeyFrames && { forcedKeyFrames }) };
    return () => {
      const reader = new SourceIndexReader();
      for (const line of lines) reader.feed(line);
      const index = resultOf(reader.end());
      const run = 'whole' in index ? index : resultOf(cutChunks(planned, index, { seconds: 4 }));
      if ('whole' in run) throw new Error(run.whole);
    };
  };
  expect(await growthError(counter, prepare, 1001)).toBeUndefined();
});
