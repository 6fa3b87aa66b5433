import { useQuery } from '@tanstack/react-query';
import type { ConversionRequest, FieldError, ReadCommand } from '@telecine/client';
import { client } from '../app/client.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { errorsOf } from '../workbench/check-error.ts';
import { useDryRun } from '../workbench/use-dry-run.ts';
import { isJson, type PastedJson, readPastedJson } from './pasted-json.ts';
import { proposedWords } from './proposed-words.ts';

/** A remark about a part of a text. */
export interface Finding {
  readonly from: number;
  /** The offset after the last character. */
  readonly to: number;
  readonly message: string;
  readonly fix?: string;
  /** The words that the service proposes in place of those of the user. */
  readonly instead?: string;
}

interface Pasted {
  /** Absent if the text is not a request, or is not read yet. */
  readonly request?: ConversionRequest | undefined;
  readonly mistakes: readonly Finding[];
  /** What the request leaves out. */
  readonly notes: readonly Finding[];
}

const NONE: Pasted = { mistakes: [], notes: [] };
/** After this pause in typing, the service reads the command. */
const PAUSE_MS = 300;

/** Reads a pasted text: a command of ffmpeg, which the service reads, or the JSON of a request, as the export of the workbench has it. */
export function usePasted(text: string): Pasted {
  const json: PastedJson | undefined = isJson(text) ? readPastedJson(text) : undefined;
  const { error } = useDryRun(json?.request);
  const command = json === undefined && text.trim() !== '' ? text : '';
  const settled = useDebounced(command, PAUSE_MS);
  const read = useQuery({
    queryKey: ['read-command', settled],
    queryFn: ({ signal }) => client.readCommand(settled, { signal }),
    enabled: settled !== '',
    // A file may have been written or deleted.
    staleTime: 0,
  });
  if (json !== undefined) {
    const rejected = json.request === undefined ? [] : errorsOf(error).map((one) => findingOf(one, text));
    return { request: json.request, mistakes: [...json.mistakes, ...rejected], notes: [] };
  }
  // The places of a result are places of the text that was sent.
  if (command === '' || settled !== command) return NONE;
  if (read.error !== null) return { ...NONE, mistakes: [{ from: 0, to: 0, message: read.error.message }] };
  return read.data === undefined ? NONE : pastedOf(read.data, text);
}

const pastedOf = ({ request, errors, leftOut }: ReadCommand, text: string): Pasted => ({
  request: request as ConversionRequest | undefined,
  mistakes: errors.map((error) => findingOf(error, text)),
  notes: leftOut.map(({ option, why, place }) => ({ ...rangeOf(place), message: `Left out ${option}: ${why}.` })),
});

const rangeOf = (place: ReadCommand['leftOut'][number]['place']): Pick<Finding, 'from' | 'to'> =>
  place !== undefined && 'offset' in place
    ? { from: place.offset, to: place.offset + place.length }
    : { from: 0, to: 0 };

function findingOf(error: FieldError & ReadCommand['errors'][number], text: string): Finding {
  const range = rangeOf(error.place);
  const instead = proposedWords(text.slice(range.from, range.to), error.apply ?? []);
  return {
    ...range,
    message: error.message,
    ...(error.fix !== undefined && { fix: error.fix }),
    ...(instead !== undefined && { instead }),
  };
}
