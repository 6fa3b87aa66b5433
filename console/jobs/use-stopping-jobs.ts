import { hasEndedOtherwise, isStopping, type StoppingCounts } from './jobs-action-text.ts';
import { useLiveList } from './live-jobs-connection.tsx';

/** How many of these jobs, which are being cancelled, still run, and how many ended in another way, by the stream of events. */
export const useStoppingJobs = (jobIds: readonly string[]): StoppingCounts => ({
  stopping: useLiveList((live) => jobIds.filter((jobId) => isStopping(live.get(jobId)?.status)).length),
  ended: useLiveList((live) => jobIds.filter((jobId) => hasEndedOtherwise(live.get(jobId)?.status)).length),
});
