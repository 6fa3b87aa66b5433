import { readFile } from 'node:fs/promises';
import { describeJsonError } from '@telecine/contract/wire/json-error.ts';
import { usageError } from './command-failed.ts';

/** Reads a JSON file. The service checks the content. `what`: what it must contain, such as "a recipe". Throws `CommandFailed`. */
export async function readJsonFile<T>(file: string, what: string): Promise<T> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError('NO_FILE', `${file} cannot be read (${reason}).`, `Name a file with ${what} as JSON.`);
  });
  try {
    return JSON.parse(text) as T;
  } catch {
    throw usageError('INVALID_JSON', `${file} is not ${what}: ${describeJsonError(text)}.`, 'Correct the JSON.');
  }
}
