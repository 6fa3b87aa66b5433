/** A soak that tests nothing must not pass. These are the errors of its outcomes as a whole. */

/** In fewer rounds, no kill may happen to hit a running job. */
const KILLS_THAT_LOSE_A_WORKER = 6;

/** What became of the jobs of a soak. */
interface Outcomes {
  /** The number of jobs by outcome: `COMPLETED`, `CANCELLED`, or the failure code. */
  readonly endings: Readonly<Record<string, number>>;
  /** Claims of jobs whose worker was lost. */
  readonly takenOver: number;
}

export const withoutCompletedJob = ({ endings }: Pick<Outcomes, 'endings'>): readonly string[] =>
  (endings['COMPLETED'] ?? 0) > 0 ? [] : ['no job completed'];

/** Of so many jobs, one in nine of which is in chunks, some must have completed in chunks. */
const JOBS_WITH_CHUNKS = 60;

export const withoutChunks = (accepted: number, chunkedJobs: number): readonly string[] =>
  accepted < JOBS_WITH_CHUNKS || chunkedJobs > 0 ? [] : [`none of ${accepted} jobs completed in chunks`];

/** The kills must lose workers, and most jobs must complete nevertheless. */
export function faultsOfKills(rounds: number, { endings, takenOver }: Outcomes): readonly string[] {
  if (rounds < KILLS_THAT_LOSE_A_WORKER) return [];
  const { COMPLETED: completed = 0, WORKER_LOST: lost = 0 } = endings;
  return [
    ...withoutCompletedJob({ endings }),
    ...(takenOver > 0 ? [] : ['no worker was lost']),
    ...(lost > 0 && completed <= lost ? [`${lost} jobs failed with WORKER_LOST, and only ${completed} completed`] : []),
  ];
}
