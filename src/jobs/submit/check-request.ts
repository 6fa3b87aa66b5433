import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { type FieldError, invalidRequest, outputIsInput } from '../../domain/problem.ts';
import type { ClientContext, PathStat, PathStats, Planned, PlannedPaths } from '../ports.ts';

/**
 * All that can be told of a request before it runs: its plan, and what stands at its paths. Throws the 400; at once
 * where nothing has to be waited for, as mostly.
 * A missing input is no fault here: the file may arrive before the job's turn comes.
 */
export function checkRequest<P extends PlannedPaths>(
  deps: {
    readonly planner: (request: ConversionRequest, terms: ClientContext) => Planned<P> | Promise<Planned<P>>;
    readonly media: PathStats;
  },
  caller: Caller,
  request: ConversionRequest,
): P | Promise<P> {
  return next(deps.planner(request, caller), (planned) => {
    if (!planned.ok) throw invalidRequest(planned.errors);
    const { plan } = planned;
    const paths = [plan.output.path, ...plan.inputs.map((input) => input.path)];
    return next(deps.media.statPaths(caller.root, paths), (looked) => {
      const errors = wrongPaths(plan, looked);
      if (errors.length > 0) throw invalidRequest(errors);
      return plan;
    });
  });
}

/** Goes on at once where the answer is there: waiting for a promise costs a turn of the promise queue. */
const next = <T, U>(answer: T | Promise<T>, then: (answer: T) => U | Promise<U>): U | Promise<U> =>
  answer instanceof Promise ? answer.then(then) : then(answer);

/** `looked`: at the output, then at the inputs. */
function wrongPaths(plan: PlannedPaths, [output = NOTHING, ...inputs]: readonly PathStat[]): FieldError[] {
  const errors: FieldError[] = [];
  const wrongOutput = pathError('/output', 'output', output);
  if (wrongOutput !== undefined) errors.push(wrongOutput);
  for (const [index, input] of plan.inputs.entries()) {
    const look = inputs[index] ?? NOTHING;
    const wrong = pathError(input.field, 'input', look);
    if (wrong !== undefined) errors.push(wrong);
    else if (look.kind === 'file' && output.kind === 'file' && look.fileId === output.fileId)
      errors.push(outputIsInput(input.field));
  }
  return errors;
}

const NOTHING: PathStat = { kind: 'missing' };

/** What is wrong with a path by what stands there; what is missing may still come. */
export function pathError(field: string, role: string, look: PathStat): FieldError | undefined {
  switch (look.kind) {
    case 'directory':
      return { field, code: 'IS_DIRECTORY', message: `The ${role} is a folder.`, fix: 'Name a file.' };
    case 'outside':
      return {
        field,
        code: 'OUTSIDE_ROOT',
        message: `The ${role} leads out of your media root by a symbolic link, or to files of the service's own.`,
        fix: 'Send a path that stays inside your media root.',
      };
    case 'special':
      return { field, code: 'NOT_A_FILE', message: `The ${role} is a device, pipe or socket.`, fix: 'Name a file.' };
    default:
      return undefined;
  }
}
