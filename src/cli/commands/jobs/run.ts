import { plainText } from '../../../domain/text-validation.ts';
import { warningText } from '../../output/plan-text.ts';
import type { DeleteFlags, JobsFlags, ListFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';
import { showJob } from './show-job.ts';
import { showJobs } from './show-jobs.ts';

export const runList = (flags: ListFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.list({ status: flags.status, metadata: flags.metadata, limit: flags.limit, signal }),
    ({ jobs }) => showJobs(jobs),
  );

export const runShow = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(flags, (client, signal) => client.get(id, { signal }), showJob);

export const runCancel = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.cancel(id, { signal }),
    ({ status }) => [status === 'CANCELLED' ? `${id} is cancelled.` : `${id} is being cancelled.`],
  );

export const runRetry = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    (client, signal) => client.retry(id, { signal }),
    ({ jobId, warnings = [] }) => {
      for (const warning of warnings) console.error(warningText(warning));
      return [jobId];
    },
  );

export const runDelete = (id: string, flags: DeleteFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => {
      await client.remove(id, { outputs: flags.outputs ?? false, signal });
      return { jobId: id };
    },
    () => [`${id} is deleted.`],
  );

export const runLog = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => ({ jobId: id, log: await client.log(id, { signal }) }),
    ({ log: text }) => text.trimEnd().split('\n').map(plainText),
  );

export const runKey = (id: string, flags: JobsFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => ({ jobId: id, key: Buffer.from(await client.key(id, { signal })).toString('hex') }),
    ({ key }) => [key],
  );
