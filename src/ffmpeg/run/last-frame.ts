import { addOption } from '../../domain/edit.ts';
import type { RunWarning } from './finished-pass.ts';
import type { RunContext } from './run-context.ts';

/** A film that became one picture. Of all frames, the last one is left. */
export function lastFrame({ pass: { lastBlock }, options }: RunContext): readonly RunWarning[] {
  const frames = lastBlock?.frame ?? 0;
  if (!options.replacesPicture || frames < 2) return [];
  return [
    {
      field: '/output',
      code: 'LAST_FRAME',
      message: `The output is one picture: of ${frames} frames, only the last is kept.`,
      fix: { ...addOption('frames:v', '1'), note: 'That is the first frame. For a later one, send "ss" too.' },
    },
  ];
}
