import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = `${pathToFileURL(resolve(import.meta.dirname, '../../../packages')).href}/`;

const session = new Session();

/** Makes V8 count the calls of each function, exactly. It optimises less meanwhile. */
export async function countFunctions(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

/** The files of the sources of which a function ran since the last call, each once, with the names of these functions. */
export async function takeFilesRun(): Promise<Record<string, number>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files: Record<string, number> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith(SOURCES)) continue;
    // What begins with the file is the module itself, which runs when it is loaded.
    const ran = functions.filter(
      ({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0,
    );
    if (ran.length === 0) continue;
    const names = new Set(ran.map(({ functionName }) => functionName).filter((name) => name !== ''));
    files[[url.slice(SOURCES.length), ...names].join(' ')] = 1;
  }
  return files;
}
