import type { OptionValue } from '../../../domain/conversion.ts';
import { extension, type MediaPath, type PathError } from '../../../domain/media-path.ts';
import { isGraphError } from '../../filtergraph/graph.ts';
import { isMisnamed, type OutputRequest, type ParsedInput, type ParsedOption } from './parse-request.ts';
import { isAudioExtension } from './select-muxer.ts';

/** The files of an input in the form of ffmpeg's protocol: `concat:a.ts|b.ts`. */
const PROTOCOL = /^concat:(.*\|.*)$/is;

/** The inputs of a request. The error of a list of files has the whole request that joins them. */
export function withJoinedFiles(request: OutputRequest, audioOnly: boolean): readonly ParsedInput[] {
  const [input, ...others] = request.inputs;
  if (input === undefined || others.length > 0 || typeof input.path === 'string') return request.inputs;
  const files = PROTOCOL.exec(input.text)?.[1]
    ?.split('|')
    .flatMap((file) => file.trim() || []);
  if (files === undefined || files.length < 2 || input.options.length > 0) return request.inputs;
  const parameters = joiningParameters(request, files, audioOnly);
  return parameters === undefined ? request.inputs : [{ ...input, path: joinedFiles(input.path, files, parameters) }];
}

type Members = Readonly<Record<string, OptionValue>>;

const joinedFiles = (error: PathError, files: readonly string[], parameters: Members): PathError => ({
  ...error,
  message: `"concat:" is not the path of a file. The filter concat joins files; if their sizes differ, the job fails with the graph that scales them.`,
  fix: `Send "inputs": ${JSON.stringify(files)} and "parameters": ${JSON.stringify(parameters)}.`,
});

/** Options that choose streams, or that are for copies. */
const REPLACED = /^(?:map|bsf|filter(?::[va])?|filter_complex|f|safe|vn)(?::|$)/;

/** The options of a request for joined files. undefined if it has filters whose place is not clear. */
function joiningParameters(
  { options }: OutputRequest,
  files: readonly string[],
  audioOnly: boolean,
): Members | undefined {
  const sent = options.filter((option): option is ParsedOption => !isMisnamed(option));
  const has = (key: string): boolean => sent.some((option) => option.key === key);
  const hasVideo = !audioOnly && !files.every((file) => isAudioExtension(extension(file as MediaPath)));
  const hasAudio = !has('an');
  const kinds = [...(hasVideo ? ['v'] : []), ...(hasAudio ? ['a'] : [])];
  if (kinds.length === 0 || has('filter_complex')) return undefined;
  const filtered = kinds.map((kind) => ({ kind, chain: chainOf(sent, kind) }));
  if (filtered.some(({ chain }) => chain === null)) return undefined;
  const pads = files.flatMap((_file, index) => kinds.map((kind) => `[${index}:${kind}]`)).join('');
  const outputs = filtered.map(({ kind, chain }) => `[${kind}${chain === undefined ? '' : '0'}]`).join('');
  const chains = filtered.flatMap(({ kind, chain }) => (chain === undefined ? [] : [`[${kind}0]${chain}[${kind}]`]));
  const counts = `n=${files.length}:v=${Number(hasVideo)}:a=${Number(hasAudio)}`;
  const kept = sent.filter(({ key, name, value }) => !REPLACED.test(key) && !(name.name === 'c' && value === 'copy'));
  const maps = kinds.map((kind) => `[${kind}]`);
  return {
    filter_complex: [`${pads}concat=${counts}${outputs}`, ...chains].join(';'),
    map: maps.length === 1 ? (maps[0] ?? '') : maps,
    ...Object.fromEntries(kept.map(({ sentName, value }) => [sentName, value])),
  };
}

/** The filters of `vf` or `af`. undefined if there are none, null if they have labels or errors. */
function chainOf(sent: readonly ParsedOption[], kind: string): string | undefined | null {
  const option = sent.find(({ key }) => key === `filter:${kind}`);
  if (option === undefined) return undefined;
  const [graph] = option.graphs ?? [];
  const isPlain =
    typeof option.value === 'string' && graph !== undefined && !isGraphError(graph) && graph.chains.length === 1;
  const isLabelled = isPlain && graph.chains.flat().some(({ inputs, outputs }) => inputs.length + outputs.length > 0);
  return isPlain && !isLabelled ? String(option.value) : null;
}
