import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { needs } from '../support/needs.ts';

const STOP_SIGNALS = import.meta.resolve('../../packages/cli/src/commands/serve/stop-signals.ts');

/** Never finishes its stop, and sends itself a second signal after a second. Ends with 99 if it is ignored. */
const PROGRAM = `
  import { onStopSignal } from '${STOP_SIGNALS}';
  onStopSignal(() => {});
  const signal = () => process.kill(process.pid, 'SIGTERM');
  signal();
  setTimeout(() => {
    signal();
    setTimeout(() => process.exit(process.pid === 1 ? 99 : 98), 4000);
  }, 1000);
`;

needs('bubblewrap')(
  'the second signal ends process 1 of a container too, whose default actions do nothing',
  async () => {
    const view = ['--dev-bind', '/', '/', '--unshare-pid', '--as-pid-1', '--proc', '/proc'];
    const args = [process.execPath, '--input-type=module', '--eval', PROGRAM];
    const child = spawn('bwrap', [...view, ...args], { stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([1, null]);
  },
);
