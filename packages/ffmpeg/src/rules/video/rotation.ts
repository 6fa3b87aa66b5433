import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type Build, isReleaseFrom } from '../../catalogue/build.ts';
import { type ArgvOption, lastValue } from '../../plan/request/argv-option.ts';
import type { Rules } from '../contexts.ts';
import { convertedStreams } from '../facts/converted-streams.ts';

/** Containers of the MP4 family, whose header has a matrix for each video. DASH segments are MP4. */
const WITH_MATRIX = wordSet('mov mp4 ipod 3gp 3g2 psp f4v ismv dash');
const MP4_FILES = wordSet('mp4 m4v mov');

/** The first release that writes the rotation of a video into Matroska. */
const MATROSKA_SINCE = [6, 1] as const;

/** True if the format of an output cannot store the rotation of a video. */
export function losesRotation(
  {
    muxer,
    path,
    options,
  }: { readonly muxer: string; readonly path: MediaPath; readonly options: readonly ArgvOption[] },
  { release }: Pick<Build, 'release'>,
): boolean {
  if (muxer === 'matroska' || muxer === 'webm') return release !== undefined && !isReleaseFrom(release, MATROSKA_SINCE);
  if (muxer === 'hls') return lastValue('hls_segment_type', options) !== 'fmp4';
  return muxer === 'segment' ? !MP4_FILES.has(extension(path)) : !WITH_MATRIX.has(muxer);
}

export const ROTATION_RULES: Rules = {
  'lost-rotation': {
    finds: 'a copied video that its file rotates, in a container that does not store the rotation',
    filesAndRun({ facts, pass }) {
      const { losesRotation: isLost, muxer } = facts.plan.output;
      if (isLost !== true) return [];
      for (const { input, stream, copied, from } of convertedStreams(pass)) {
        const degrees = facts.inputs[input]?.rotations?.get(stream) ?? 0;
        if (!copied || from?.type !== 'video' || degrees === 0) continue;
        const effect = Math.abs(degrees) % 180 === 90 ? 'is shown sideways' : 'is shown upside down';
        return {
          key: facts.firstOf('c:v', 'c') ?? 'c',
          code: 'ROTATION_LOST',
          message: `${facts.pathOf(input)} asks players to rotate its video by ${Math.abs(degrees)} degrees. The format ${muxer} does not store that, so the copy ${effect}.`,
          fix: 'Send an "output" that ends with .mp4 or .mov, which stores it, or encode the video ("c:v": "libx264"), which turns its frames.',
        };
      }
      return [];
    },
  },
};
