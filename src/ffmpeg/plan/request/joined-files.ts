import type { OptionValue } from '../../../domain/conversion.ts';
import type { Join } from '../../../domain/join.ts';
import type { PathError } from '../../../domain/media-path.ts';
import { isMisnamed, type OutputRequest, type ParsedInput, type ParsedOption } from './parse-request.ts';

/** The files of an input in the form of ffmpeg's protocol: `concat:a.ts|b.ts`. */
const PROTOCOL = /^concat:([^|]*\|.*)$/is;

/** The inputs of a request. The error of a list of files has the whole request that joins them. */
export function withJoinedFiles(request: OutputRequest): readonly ParsedInput[] {
  const [input, ...others] = request.inputs;
  if (input === undefined || others.length > 0 || typeof input.path === 'string') return request.inputs;
  const files = PROTOCOL.exec(input.text)?.[1]
    ?.split('|')
    .flatMap((file) => file.trim() || []);
  if (files === undefined || files.length < 2 || input.options.length > 0) return request.inputs;
  const meant = joinedRequest(request);
  return meant === undefined ? request.inputs : [{ ...input, path: joinedFiles(input.path, files, meant) }];
}

/** What a request for joined files has besides them. */
interface JoinedRequest {
  readonly join: Join;
  /** undefined if the client sent none. */
  readonly parameters: Readonly<Record<string, OptionValue>> | undefined;
}

function joinedFiles(error: PathError, files: readonly string[], { join, parameters }: JoinedRequest): PathError {
  const members = { inputs: files, join, ...(parameters && { parameters }) };
  return {
    ...error,
    message: '"concat:" is not the path of a file. "join" shows files one after the other.',
    fix: { edits: Object.entries(members).map(([name, value]) => ({ do: 'send', name, value, in: 'request' })) },
  };
}

/** Options for the list of files itself, and for packets of one format. */
const OF_LISTS = /^(?:bsf|f|safe)(?::|$)/;
/** Options that a join sets itself if it encodes. */
const OF_STREAMS = /^(?:map|shortest)(?::|$)/;

/** undefined if the request arranges the streams by a graph of its own. */
function joinedRequest({ options }: OutputRequest): JoinedRequest | undefined {
  const sent = options.filter((option): option is ParsedOption => !isMisnamed(option));
  if (sent.some(({ key }) => key === 'filter_complex')) return undefined;
  const isCopy = ({ name, value }: ParsedOption): boolean => name.name === 'c' && value === 'copy';
  const isFiltered = sent.some(({ name }) => name.name === 'filter');
  const join = sent.some(isCopy) && !isFiltered ? 'copy' : 'encode';
  const kept = sent.filter(
    (option) => !OF_LISTS.test(option.key) && (join === 'copy' || !(OF_STREAMS.test(option.key) || isCopy(option))),
  );
  const parameters = Object.fromEntries(kept.map(({ sentName, value }) => [sentName, value]));
  return { join, parameters: options.length === 0 ? undefined : parameters };
}
