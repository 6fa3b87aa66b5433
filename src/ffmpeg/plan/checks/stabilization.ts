import { addOption, orElse } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { looseDetector, stabilizes } from '../../filtergraph/stabilizing-passes.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Checks what two-pass stabilization needs besides valid options: both passes, and files of the service alone. */
export function checkStabilization(options: readonly ArgvOption[], twoPass: boolean, errors: FieldError[]): void {
  for (const { checkedGraphs = [], field } of options)
    for (const graph of checkedGraphs) {
      const loose = looseDetector(graph);
      if (loose !== undefined)
        errors.push({
          field,
          code: 'FILTER_NOT_ALLOWED',
          message: 'The filter "vidstabdetect" only tells "vidstabtransform" how to detect the motion.',
          fix: 'Send "vidstabdetect=shakiness=8,vidstabtransform" and "pass": "2", or "vidstabtransform" alone.',
        });
      else if (stabilizes(graph) && !twoPass)
        errors.push({
          field,
          code: 'NEEDS_TWO_PASSES',
          message: 'The filter "vidstabtransform" needs two passes: the first one detects the motion.',
          fix: {
            ...orElse(addOption('pass', '2'), 'use the filter "deshake" for one pass'),
            note: 'The service runs both passes.',
          },
        });
      if (graph.chains.flat().some(({ name, options: own }) => name === 'vidstabtransform' && own.some(isDebug)))
        errors.push({
          field,
          code: 'OPTION_NOT_ALLOWED',
          message: 'The option "debug" of the filter "vidstabtransform" is not allowed: it writes a file.',
          fix: 'Leave "debug" out.',
        });
    }
}

const isDebug = ({ key }: { readonly key?: string }): boolean => key === 'debug';
