import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { measureResult } from '../preview/measure-result.ts';
import { measuredPart } from '../preview/measured-part.ts';
import { formatDuration } from '../ui/format.ts';
import { asNewRequest, expandedRequest } from './job-request.ts';
import styles from './result-card.module.css';
import type { Comparison } from './result-facts.ts';
import { similarityText } from './similarity-text.ts';

/** Measures how similar an output is to its source, and shows the figure. */
export function QualityFigure({
  job,
  path,
  measurable,
}: {
  readonly job: Job;
  readonly path: string;
  readonly measurable: Comparison;
}) {
  const { seconds } = measuredPart(measurable);
  const measured = useQuery({
    queryKey: ['quality', job.jobId, path],
    queryFn: ({ signal }) =>
      measureResult({ ...measurable, request: asNewRequest(expandedRequest(job)), path }, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error } = measured;
  const text =
    error !== null || data === null
      ? 'The quality could not be measured.'
      : data === undefined
        ? 'Measuring the quality…'
        : `${similarityText(data)}, in ${formatDuration(seconds)} of the middle`;
  return (
    <p
      role="status"
      className={styles.soft}
      title="SSIM: 1 means identical frames. The source goes through the same filters."
    >
      {text}
    </p>
  );
}
