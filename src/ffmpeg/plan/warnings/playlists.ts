import type { Warning } from '../../../domain/plan.ts';
import { playlistAdvice } from '../../allowlist/containers.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Warns about inputs that are playlists: the job will fail. */
export const playlists = (inputs: readonly ArgvInput[]): readonly Warning[] =>
  inputs.flatMap(({ source, format }) => {
    const advice = format === undefined ? playlistAdvice(source.path) : undefined;
    return advice === undefined ? [] : [{ field: source.field, code: 'UNSUPPORTED_FORMAT', ...advice }];
  });
