import { LADDER_PLACEHOLDERS } from '@telecine/contract/domain/ladder.ts';
import type { FrameSize } from './ladder.ts';

/** Replaces the placeholders of a frame size in the filters of an argv. */
export const inFrameSize = (
  argv: readonly string[],
  { width, height }: FrameSize | { readonly width: string; readonly height: string },
): readonly string[] =>
  argv.map((word, at) =>
    /^-filter(?::[vV].*)?$/.test(argv[at - 1] ?? '')
      ? word.replaceAll(LADDER_PLACEHOLDERS.width, String(width)).replaceAll(LADDER_PLACEHOLDERS.height, String(height))
      : word,
  );
