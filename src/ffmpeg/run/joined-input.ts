import type { MediaPath } from '../../domain/media-path.ts';
import type { OutputPlan, PlannedInput } from '../../domain/plan.ts';
import type { InputReport } from '../log/report.ts';

/** The most names of clips in a message. */
const MAX_NAMED = 3;

/**
 * The plan as ffmpeg reads it. Clips that are joined without encoding are one input for ffmpeg, a list of files, so what it says about
 * that input is about all of them. Returns any other plan unchanged.
 */
export function asRead(plan: OutputPlan): OutputPlan {
  if ((plan.join ?? plan.cut)?.mode !== 'copy') return plan;
  const [first, ...others] = plan.inputs;
  if (first === undefined) return plan;
  const joined: PlannedInput = {
    logical: first.logical,
    path: namesOf([first, ...others]) as MediaPath,
    field: '/inputs',
  };
  return { ...plan, inputs: [joined], span: { ...plan.span, inputs: [{}] } };
}

function namesOf(inputs: readonly PlannedInput[]): string {
  const names = inputs.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = inputs.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

/** What ffmpeg reports about the inputs. The list of joined clips has the length of all: ffmpeg reports that of the first. */
export function reportedInputs(
  { join, cut, span }: Pick<OutputPlan, 'join' | 'cut' | 'span'>,
  inputs: readonly InputReport[],
): readonly InputReport[] {
  if ((join ?? cut)?.mode !== 'copy') return inputs;
  return inputs.map(({ durationSeconds: _, ...report }, index) => ({
    ...report,
    ...(index === 0 && span.joined !== undefined && { durationSeconds: span.joined }),
  }));
}
