import type { ProbeRequest } from '../../domain/media-info.ts';
import { extension, type MediaPath, parseMediaPath } from '../../domain/media-path.ts';
import type { FieldError } from '../../domain/problem.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import { readProbeOptions } from './probe-options.ts';

/** A probe, ready to run. */
export interface ProbePlan {
  readonly path: MediaPath;
  /** The name in the argv: `in/0.mp4`. */
  readonly logical: string;
  /** Without the program's name. */
  readonly argv: readonly string[];
}

export type PlannedProbe =
  | { readonly ok: true; readonly plan: ProbePlan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const HEAD = ['-hide_banner', '-loglevel', 'level+error', '-of', 'json'];
const QUESTIONS = ['-show_format', '-show_streams', '-show_chapters'];
/** As conversions open their inputs. */
const WALLS = ['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS];

/** The argv of a probe, or all that is wrong with the request. Pure. */
export function planProbe(request: ProbeRequest, root: string): PlannedProbe {
  const errors: FieldError[] = [];
  const path = parseMediaPath(request.input, root);
  if (typeof path !== 'string') errors.push({ field: '/input', ...path });
  const options = readProbeOptions(request.parameters, errors);
  if (typeof path !== 'string' || errors.length > 0) return { ok: false, errors };
  return { ok: true, plan: probePlanFor(path, options) };
}

/** The probe of a file at `path`, which may be any of the service's own. */
export function probePlanFor(path: MediaPath, options: readonly string[] = []): ProbePlan {
  const kind = extension(path);
  // The extension stays, as some demuxers are found by it; the rest of the name can mean nothing to ffprobe.
  const logical = `in/0${/^[a-z0-9]{1,10}$/.test(kind) ? `.${kind}` : ''}`;
  return { path, logical, argv: [...HEAD, ...QUESTIONS, ...options, ...WALLS, '-i', `file:${logical}`] };
}
