import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { waitUntil } from './wait.ts';

/** The name of the image to test. Set by scripts/test-image.ts. */
export const IMAGE = process.env['TELECINE_TEST_IMAGE'] ?? '';

const START_SECONDS = 90;

/** Runs the command `docker`. Returns what it prints; rejects with `code` and `stderr` if it fails. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** A container that runs the image as the README says, with only a loopback network. */
export interface Container {
  readonly id: string;
  /** Runs a program in the container and returns what it prints. */
  run(...argv: readonly string[]): Promise<string>;
  /** Runs a command of Telecine in the container. */
  telecine(...args: readonly string[]): Promise<string>;
  /** A field of `docker inspect`, by its Go template. */
  inspect(template: string): Promise<string>;
  ready(): Promise<ReadyView>;
}

/** Starts a container and waits until it is ready. It is removed after the test. `options` are those of `docker run`. */
export async function startContainer(...options: readonly string[]): Promise<Container> {
  const id = await docker('run', '--detach', '--network', 'none', ...options, IMAGE);
  onTestFinished(async () => void (await docker('rm', '--force', '--volumes', id)));
  const run = (...argv: readonly string[]) => docker('exec', id, ...argv);
  const inspect = (template: string) => docker('inspect', '--format', template, id);
  const READY = "fetch('http://127.0.0.1:8080/ready').then((reply) => reply.text()).then(console.log)";
  const ready = async (): Promise<ReadyView> => JSON.parse(await run('node', '-e', READY));
  const container = {
    id,
    run,
    inspect,
    ready,
    telecine: (...args: readonly string[]) => run('node', 'bin/telecine.js', ...args),
  };
  await waitUntil(
    'the container to be ready',
    async () => {
      if ((await inspect('{{.State.Running}}')) !== 'true') throw new Error(await logOf(id));
      return (await ready().catch(() => undefined))?.status === 'ready' || undefined;
    },
    START_SECONDS,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await logOf(id)}`);
  });
  return container;
}

async function logOf(id: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('docker', ['logs', id], { encoding: 'utf8' });
  return stdout + stderr;
}
