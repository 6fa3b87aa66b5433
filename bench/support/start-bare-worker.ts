import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from '../../test/support/end-with-tests.ts';
import type { BareBlock } from './bare-worker.ts';
import { cpuSeconds } from './processes.ts';
import { NODE_ARGS, NODE_ENV } from './service.ts';

export interface BareWorker {
  /** Runs a block of jobs. Resolves to the processor time of the worker itself per job, in milliseconds. */
  run(block: BareBlock): Promise<number>;
  stop(): void;
}

/** Starts bare-worker.ts with the options of the service, in a session of its own. */
export function startBareWorker(folder: string, input: string, parallel: number): BareWorker {
  const args = [...NODE_ARGS, join(import.meta.dirname, 'bare-worker.ts'), folder, input, String(parallel)];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...NODE_ENV },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  endWithTests(child);
  const { pid = 0 } = child;
  const lines = createInterface({ input: child.stdout });
  return {
    run: async (block) => {
      const before = cpuSeconds(pid);
      child.stdin.write(`${JSON.stringify(block)}\n`);
      await once(lines, 'line');
      return ((cpuSeconds(pid) - before) * 1000) / block.count;
    },
    stop: () => child.kill(),
  };
}
