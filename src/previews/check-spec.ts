import { leaveOut, orElse } from '../domain/edit.ts';
import type { PreviewSpec } from '../domain/preview.ts';
import { type FieldError, invalidRequest } from '../domain/problem.ts';

/** Throws INVALID_REQUEST for arguments that the view does not have. */
export function checkSpec({ view, at, columns, rows }: PreviewSpec, isComparison: boolean): void {
  const isSound = view === 'waveform' || view === 'spectrogram';
  const errors = [
    ...(at !== undefined && view !== 'frame' ? [noEffect('at', view, 'ask for the view "frame"')] : []),
    ...(['columns', 'rows'] as const).flatMap((name) =>
      ({ columns, rows })[name] !== undefined && view !== 'sheet'
        ? [noEffect(name, view, 'ask for the view "sheet"')]
        : [],
    ),
    ...(isComparison && isSound ? [noEffect('compare', view, 'ask for "frame" or "sheet"')] : []),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
}

const noEffect = (name: string, view: string, or: string): FieldError => ({
  field: `/${name}`,
  code: 'NO_EFFECT',
  message: `The view "${view}" has no "${name}".`,
  fix: orElse(leaveOut(), or),
});
