import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { type CommonServer, commonServer } from './common-server.ts';
import { makeOnce } from './media.ts';

interface Outcomes extends CommonServer {
  /** Runs a job that must complete. Returns it with the path of its output. */
  convert(
    request: Partial<ConversionRequest> & { readonly output: string },
  ): Promise<{ readonly job: JobView; readonly file: string }>;
}

/**
 * The service of the process, whose media root has the inputs that `put` makes once per run.
 *
 * @param name A name for the folder of the inputs that no other caller uses.
 */
export function outcomesOf(name: string, put: (folder: string) => Promise<unknown>): () => Promise<Outcomes> {
  const start = commonServer();
  let filled: Promise<unknown> | undefined;
  return async () => {
    const shared = await start();
    filled ??= makeOnce(name, put).then((folder) =>
      shared.server.media.fill((root) => cp(folder, root, { recursive: true })),
    );
    await filled;
    return {
      ...shared,
      convert: async (request) => {
        const job = await shared.own.run(request);
        if (job.status !== 'COMPLETED') throw new Error(`${JSON.stringify(request)} → ${JSON.stringify(job)}`);
        return { job, file: join(shared.server.mediaRoot, request.output) };
      },
    };
  };
}
