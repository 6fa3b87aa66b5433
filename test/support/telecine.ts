import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Credentials } from './api-client.ts';
import type { TestServer } from './server.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/telecine.js');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a person would, with these settings and none of the outer ones. Never throws. */
export function telecine(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
): Promise<Ran> {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  return new Promise((done) => {
    const env = { ...Object.fromEntries(outer), ...settings };
    const [file = process.execPath, ...words] = [...launcher, process.execPath, PROGRAM, ...args];
    execFile(file, words, { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? 128), stdout, stderr }),
    );
  });
}

type Folders = Pick<TestServer, 'dataDir' | 'mediaRoot'>;

/** `telecine client …` on the folders of a server, which may run meanwhile. Throws where it is refused. */
export async function clientCommand(server: Folders, ...args: readonly string[]): Promise<string> {
  const settings = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot };
  const { code, stdout, stderr } = await telecine(['client', ...args], settings);
  if (code !== 0) throw new Error(`telecine client ${args.join(' ')} → ${code}\n${stderr}`);
  return stdout;
}

export async function addClient(server: Folders, name: string, ...more: readonly string[]): Promise<Credentials> {
  return JSON.parse(await clientCommand(server, 'add', name, '--json', ...more)) as Credentials;
}
