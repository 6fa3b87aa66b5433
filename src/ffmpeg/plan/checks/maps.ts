import type { FieldError } from '../../../domain/problem.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/**
 * Checks that maps use each open label of the filtergraphs exactly once, and no other label. `openLabels` are the
 * labels that no filter consumes, each with the option that contains its graph.
 */
export function checkMaps(
  options: readonly ArgvOption[],
  openLabels: ReadonlyMap<string, ArgvOption>,
  errors: FieldError[],
): void {
  const mapped = new Set<string>();
  for (const { name, field, values } of options) {
    if (name.name !== 'map') continue;
    for (const value of values) {
      const label = /^\[(.*)\]$/s.exec(value)?.[1];
      if (label === undefined) continue;
      if (!openLabels.has(label) || mapped.has(label))
        errors.push({ field, ...badLabel(label, mapped.has(label), [...openLabels.keys()]) });
      mapped.add(label);
    }
  }
  for (const [label, { field }] of openLabels) if (!mapped.has(label)) errors.push({ field, ...unusedLabel(label) });
}

/** The maximum number of labels that a message lists. */
const MAX_LABELS = 20;

const quotedLabel = (label: string): string => `"[${label.slice(0, 64)}]"`;

const badLabel = (label: string, isMapped: boolean, open: readonly string[]): Omit<FieldError, 'field'> => ({
  code: 'UNKNOWN_LABEL',
  message: isMapped
    ? `${quotedLabel(label)} is mapped twice.`
    : `No filtergraph has an open output ${quotedLabel(label)}.`,
  ...(open.length > 0 && { allowed: open.slice(0, MAX_LABELS).map((one) => `[${one}]`) }),
  fix: 'Map every open label of the filtergraph once. "split" and "asplit" make two streams of one.',
});

const unusedLabel = (label: string): Omit<FieldError, 'field'> => ({
  code: 'UNUSED_LABEL',
  message: `The filtergraph has an output ${quotedLabel(label)} that nothing uses.`,
  fix: `Send "map": ${quotedLabel(label)} (or a list of labels), or remove the label.`,
});
