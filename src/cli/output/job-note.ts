import { styleText } from 'node:util';
import type { JobView } from '../../wire/job.ts';
import { between, clock } from './quantities.ts';

/** The note next to the percentage of a job: its speed, phase or outcome. */
export function jobNote(job: JobView): string {
  switch (job.status) {
    case 'PENDING':
      return styleText('dim', 'queued');
    case 'COMPLETED':
      return styleText('green', `done in ${between(job.startedAt, job.completedAt)}`);
    case 'FAILED':
    case 'CANCELLED':
      return styleText('red', job.error?.code ?? job.status);
    case 'PROCESSING': {
      const speed = job.speed === undefined ? '' : `${job.speed.toFixed(1)}×`.padStart(6);
      const left = job.etaSeconds === undefined ? '' : `${clock(job.etaSeconds)} left`;
      const pace = `${speed}  ${left}`;
      return pace.trim() === '' ? styleText('dim', (job.phase ?? 'starting').toLowerCase()) : pace;
    }
  }
}

export const percentOf = (job: JobView): number => (job.status === 'COMPLETED' ? 100 : (job.progress ?? 0));
