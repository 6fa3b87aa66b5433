import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import type { FailureCode } from '../../../packages/contract/src/domain/failure.ts';
import type { SeededChoices } from './seeded-choices.ts';

const COPY = ['-c', 'copy'];

/** Chunks begin at key frames. */
const WITH_KEY_FRAMES = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '24', '-c:a', 'copy'];

/** The input clips: how many seconds of which sample. */
export const CLIPS = {
  'in/voice.wav': { sample: 'wav', seconds: 2, options: COPY },
  'in/short.mp4': { sample: '480p', seconds: 1, options: COPY },
  'in/long.mp4': { sample: '480p', seconds: 5, options: COPY },
  'in/longest.mp4': { sample: '480p', seconds: 12, options: WITH_KEY_FRAMES },
} as const;

export type ClipName = keyof typeof CLIPS;

/** A conversion to submit, and its allowed outcomes. */
export interface Submission {
  /** Sent as `llmId`, to recognise a job whose 202 was lost. */
  readonly tag: string;
  readonly request: ConversionRequest;
  /** The length that the output must have. */
  readonly seconds: number | ClipName;
  /** The job is encoded in chunks, and its output has the video frames of this clip, no more and no fewer. Absent: without chunks. */
  readonly framesOf?: ClipName;
  /**
   * Whether other jobs have the same output. 'replaced by others': all of them replace existing files. 'contested': none
   * does, so only one may complete.
   */
  readonly output: 'own' | 'replaced by others' | 'contested';
  /** Failures that are not errors of the service. Lost workers are checked separately. */
  readonly mayFailWith: readonly FailureCode[];
}

const H264 = { 'c:v': 'libx264', preset: 'ultrafast', s: '320x180', 'c:a': 'aac' };

/** Weights. `slow` conversions and those in chunks take more than a second, so that a kill interrupts them. */
const KINDS = { audio: 6, video: 5, copy: 4, hls: 4, slow: 2, chunks: 4, replaced: 3, contested: 2, missing: 1 };

/** The next submissions: several if they contend for one output. */
export function nextSubmissions(chance: SeededChoices, number: number): readonly Submission[] {
  const tag = `n${number}`;
  const make = (
    input: string,
    output: string,
    parameters: Readonly<Record<string, string>>,
    { chunks, ...more }: Partial<Submission> & Pick<Submission, 'seconds'> & Pick<ConversionRequest, 'chunks'>,
  ): Submission => ({
    tag,
    output: 'own',
    mayFailWith: [],
    ...more,
    request: { input, output, parameters, llmId: more.tag ?? tag, ...(chunks && { chunks }) },
  });
  switch (chance.pick(KINDS)) {
    case 'audio':
      return [make('in/voice.wav', `out/${tag}.m4a`, { 'c:a': 'aac' }, { seconds: 'in/voice.wav' })];
    case 'video':
      return [make('in/short.mp4', `out/${tag}.mkv`, H264, { seconds: 'in/short.mp4' })];
    case 'copy':
      return [make('in/long.mp4', `out/${tag}.mp4`, { c: 'copy' }, { seconds: 'in/long.mp4' })];
    case 'hls': {
      const options = { ...H264, g: '12', hls_time: '1', hls_list_size: '0', t: '3' };
      return [make('in/long.mp4', `hls/${tag}/index.m3u8`, options, { seconds: 3 })];
    }
    case 'slow':
      return [make('in/long.mp4', `out/${tag}.mp4`, { 'c:v': 'libx264', preset: 'medium', t: '2' }, { seconds: 2 })];
    case 'chunks': {
      const options = { ...H264, preset: 'veryfast', s: '640x360' };
      const clip = 'in/longest.mp4';
      return [make(clip, `out/${tag}.mp4`, options, { seconds: clip, framesOf: clip, chunks: { seconds: 2 } })];
    }
    case 'replaced': {
      const seconds = chance.happens(0.5) ? 1 : 2;
      const options = { 'c:a': 'aac', t: String(seconds), y: '' };
      const output = `replaced/${Math.floor(chance.between(0, 3))}.m4a`;
      return [make('in/voice.wav', output, options, { seconds, output: 'replaced by others' })];
    }
    case 'contested':
      return ['a', 'b'].map((letter) =>
        make(
          'in/voice.wav',
          `contested/${tag}.m4a`,
          { 'c:a': 'aac' },
          { tag: `${tag}${letter}`, seconds: 'in/voice.wav', output: 'contested', mayFailWith: ['OUTPUT_EXISTS'] },
        ),
      );
    case 'missing':
      return [
        make('in/nothing.mp4', `out/${tag}.mp4`, { c: 'copy' }, { seconds: 0, mayFailWith: ['INPUT_NOT_FOUND'] }),
      ];
  }
}
