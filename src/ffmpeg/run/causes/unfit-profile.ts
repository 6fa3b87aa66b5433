import { addOption, leaveOut, orElse } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { numberedConflict } from '../../allowlist/profile-formats.ts';
import { argumentOf, inputStream, type MediaFacts, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/** A profile of VP9 or AV1 that does not hold the pictures of the input: libvpx says it in part, and libaom aborts. */
export function unfitProfile(facts: MediaFacts): Failure | undefined {
  const key = ['profile:v', 'profile:v:0', 'profile'].find((name) => argumentOf(facts, name) !== undefined);
  const sets = facts.argv.some((word) => /^-pix_fmt(?::|$)/.test(word));
  const formats = facts.graphs.some(({ filters }) => filters.some(({ name }) => name === 'format'));
  if (key === undefined || sets || formats) return undefined;
  const profile = argumentOf(facts, key) ?? '';
  for (const { input, stream, copied } of facts.used) {
    const picture = inputStream(facts, input, stream);
    if (copied || picture?.type !== 'video' || picture.pixelFormat === undefined) continue;
    for (const encoder of facts.plan.encoders?.video ?? []) {
      const conflict = numberedConflict(encoder, profile, picture.pixelFormat);
      if (conflict === undefined) continue;
      return failed(
        'FFMPEG_FAILED',
        `"${sentNameOf(facts, key)}": "${profile}" of ${encoder} is not for ${picture.pixelFormat}, the pixel format of the picture.`,
        // SVT-AV1 encodes only what its main profile holds.
        encoder === 'libsvtav1'
          ? leaveOut(sentNameOf(facts, key))
          : orElse(addOption('pix_fmt', conflict.pixelFormat), leaveOut(sentNameOf(facts, key))),
      );
    }
  }
  return undefined;
}
