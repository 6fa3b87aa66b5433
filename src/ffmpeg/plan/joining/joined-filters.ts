import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { embedGraph } from '../../filtergraph/embed-graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { type ArgvOption, SERVICE_FIELD, sentName } from '../request/argv-option.ts';
import { JOINED, type JoinTarget } from './join-graph.ts';

/** The graph of a joined film with the client's filters, and the labels of its streams. */
export interface JoinedGraph {
  readonly text: string;
  readonly picture: string;
  readonly sound: string;
  /** Where the client sent the filters: that of the sound, which may be measured, or else of the picture. */
  readonly field: string;
}

const PICTURE = /^filter:[vV](?::0)?$/;
const SOUND = /^filter:a(?::0)?$/;

/** Whether an option filters the joined picture or sound, so that it becomes a part of the graph. */
export const isJoinedFilter = ({ key }: ArgvOption): boolean => PICTURE.test(key) || SOUND.test(key);

/**
 * Adds the client's `vf` and `af` after the joined streams. ffmpeg does not filter a stream of a complex graph again, so they
 * have to be a part of it. Filters of a stream that the film lacks are left out.
 */
export function filterJoined(
  joinGraph: string,
  options: readonly ArgvOption[],
  target: JoinTarget,
  catalogue: Catalogue,
  errors: FieldError[],
): JoinedGraph | undefined {
  const picture = options.findLast(({ key }) => target.picture !== undefined && PICTURE.test(key));
  const sound = options.findLast(({ key }) => target.sound !== undefined && SOUND.test(key));
  const texts = [joinGraph];
  const outputs = { picture: JOINED.picture as string, sound: JOINED.sound as string };
  for (const [option, stream] of [
    [picture, 'picture'],
    [sound, 'sound'],
  ] as const) {
    if (option === undefined) continue;
    const [graph] = option.checkedGraphs ?? [];
    const labels = { input: JOINED[stream], output: `filtered_${stream === 'picture' ? 'v' : 'a'}` };
    const chains = graph && embedGraph(graph, labels, `${stream}_`, catalogue);
    if (graph?.scalerFlags !== undefined || chains === undefined) {
      errors.push(notPlaced(option));
      return undefined;
    }
    texts.push(printGraph({ chains }));
    outputs[stream] = labels.output;
  }
  return { text: texts.join(';'), ...outputs, field: (sound ?? picture)?.field ?? SERVICE_FIELD };
}

const notPlaced = (option: ArgvOption): FieldError => ({
  field: option.field,
  code: 'NOT_SIMPLE',
  message: `"${sentName(option)}" is too complex to follow the join.`,
  fix: 'Send a chain of filters such as "scale=1280:-2,eq=contrast=1.1", or join first and filter with a second request.',
});
