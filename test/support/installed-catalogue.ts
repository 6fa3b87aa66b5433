import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { recordedCatalogue } from './recorded-catalogue.ts';
import { ffmpegRelease } from './tools.ts';

/**
 * A recorded catalogue by which plans are as with the installed ffmpeg: they depend on its release. There is no recording of release 6, so that
 * it has the one of 7.1 with its own release.
 */
export function installedCatalogue(): Catalogue {
  const major = ffmpegRelease();
  const recorded = recordedCatalogue(major < 6 ? '5.1' : '7.1');
  return major === 6 ? { ...recorded, build: { ...recorded.build, release: [6, 1] } } : recorded;
}

/** True if the plan runs whole because copies of audio by ffmpeg 6 were not compared. A comparison with chunks then has nothing to compare. */
export const isUncomparedCopy = ({ chunks }: Pick<Plan, 'chunks'>): boolean =>
  ffmpegRelease() === 6 &&
  chunks !== undefined &&
  'whole' in chunks &&
  /not known to keep its (?:exact times|time) with this ffmpeg/.test(chunks.whole);
