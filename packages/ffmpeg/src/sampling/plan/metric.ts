import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  METRIC_NAMES,
  METRIC_SCALES,
  type QualityMetric,
  type QualityTarget,
  USUAL_TARGETS,
} from '@telecine/contract/domain/quality.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { reasonWithoutFilter, VMAF_FILTER } from '../../catalogue/changed-source.ts';

/** The filter that measures each metric. */
export const METRIC_FILTERS: Readonly<Record<QualityMetric, string>> = {
  ssim: 'ssim',
  xpsnr: 'xpsnr',
  vmaf: VMAF_FILTER,
};

/** The metric of `auto`. It depends only on the target, so that a request means the same on every build. */
const metricOf = (target: number): QualityMetric =>
  target <= 1 ? 'ssim' : target <= METRIC_SCALES.xpsnr.max ? 'xpsnr' : 'vmaf';

/** The metric of a target. undefined: `errors` has the reason. */
export function checkMetric(
  member: 'quality' | 'ladder',
  { target, metric: sent = 'auto' }: QualityTarget,
  catalogue: Catalogue,
  errors: FieldError[],
): QualityMetric | undefined {
  const metric = sent === 'auto' ? metricOf(target) : sent;
  const { min, max } = METRIC_SCALES[metric];
  if (target < min || target > max) {
    errors.push({
      field: `/${member}/target`,
      code: 'OUT_OF_RANGE',
      message: `"target" is from ${min} to ${max} for ${METRIC_NAMES[metric]}, not ${target}. Usual is ${USUAL_TARGETS[metric]}.`,
    });
    return undefined;
  }
  const filter = METRIC_FILTERS[metric];
  if (catalogue.lists.filters.has(filter)) return metric;
  errors.push({
    field: `/${member}/${sent === 'auto' ? 'target' : 'metric'}`,
    code: 'UNKNOWN_FILTER',
    message: `The installed ffmpeg cannot measure ${METRIC_NAMES[metric]}: ${reasonWithoutFilter(catalogue, filter)}.`,
  });
  return undefined;
}
