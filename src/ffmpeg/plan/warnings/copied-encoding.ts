import { addIn, leaveOut } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { subtitleEncoder } from '../../allowlist/container-codecs.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { areAllCopied, type StreamEncoders } from '../encoders/stream-encoders.ts';
import { sentName } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Warns about an encoding of subtitles that are copied: only their decoder reads it. */
export function copiedEncoding({
  opened,
  encoders,
  muxer,
  catalogue,
}: {
  readonly opened: readonly ArgvInput[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly catalogue: Catalogue;
}): readonly Warning[] {
  if (!areAllCopied(encoders, 's')) return [];
  const encoder = subtitleEncoder(muxer, catalogue.lists);
  return opened.flatMap(({ options }) =>
    options
      .filter(({ name }) => name.name === 'sub_charenc')
      .map((option) => ({
        field: option.field,
        code: 'NO_EFFECT',
        message: `"${sentName(option)}" has no effect: the subtitles are copied, and only re-encoded ones become UTF-8.`,
        fix: encoder === undefined ? leaveOut() : addIn('parameters', 'c:s', encoder),
      })),
  );
}
