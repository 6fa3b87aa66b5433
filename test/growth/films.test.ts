// @module-tag long
import { expect, test } from 'vitest';
import type { ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import { growthError } from '../support/growth.ts';
import { resultOf } from '../support/result-of-steps.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { SourceFramesReader } = await import('../../packages/ffmpeg/src/chunks/source-frames.ts');
const { cutAtKeyFrames } = await import('../../packages/ffmpeg/src/chunks/cuts.ts');

const TEMPLATES: ChunkTemplates = {
  ...{ input: 'in/0.mp4', argv: [], extension: 'mp4', videos: 1 },
  ...{ outputs: [], joinHead: [], svtLevels: false, hasSegments: false, keepsFrames: true },
};

/** The lines of ffprobe for a film with a B-frame between any two frames. */
const linesOf = (frames: number, isKey: (frame: number) => boolean): readonly string[] => [
  ...Array.from({ length: frames }, (_, at) => {
    const shown = at === 0 ? 0 : at % 2 === 1 ? at + 1 : at - 1;
    return `packet|codec_type=video|stream_index=0|pts=${shown}|duration=1|flags=${isKey(shown) ? 'K_' : '__'}`;
  }),
  'stream|index=0|codec_name=h264|codec_type=video|time_base=1/25',
  `format|format_name=mov,mp4|start_time=0.000000`,
];

interface Film {
  readonly isKey?: (frame: number) => boolean;
  /** The distance of requested key frames. */
  readonly keyFrameSeconds?: number;
}

const FILMS: Readonly<Record<string, Film>> = {
  'with key frames': {},
  'with a key frame for each frame': { isKey: () => true },
  'with a requested key frame for each frame': { keyFrameSeconds: 0.04 },
};

test.each(Object.keys(FILMS))('the work to cut a film grows linearly: %s', async (title) => {
  const { isKey = (frame: number) => frame % 50 === 0, ...requested } = FILMS[title] ?? {};
  const prepare = (frames: number) => {
    const lines = linesOf(frames, isKey);
    const planned = { ...TEMPLATES, ...requested };
    return () => {
      const reader = new SourceFramesReader();
      for (const line of lines) reader.feed(line);
      const source = resultOf(reader.end());
      const run = 'whole' in source ? source : resultOf(cutAtKeyFrames(planned, source, 4));
      if ('whole' in run) throw new Error(run.whole);
    };
  };
  expect(await growthError(counter, prepare, 1001)).toBeUndefined();
});
