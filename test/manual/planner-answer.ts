import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { FieldError } from '../../packages/contract/src/domain/problem.ts';
import { planRequest } from '../support/planning.ts';
import { type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { readCommand } from './ffmpeg-command.ts';
import type { Words } from './forms.ts';
import { toRequests } from './to-request.ts';

/** What the planner says about a command. */
export interface PlannerAnswer {
  /** The codes of the errors of the request of the command, each once. Empty if it accepts it. */
  readonly errors: readonly string[];
  /** The files that filters of the command read, which the request has as inputs. */
  readonly files: readonly string[];
}

/** Plans the requests of a command for a recorded build. */
export function plannerAnswer(words: Words, version: Recorded): PlannerAnswer {
  const all = recordedCatalogue(version);
  const answers = toRequests(readCommand(words, all), all).map((request) => answerTo(request, version));
  return {
    errors: [...new Set(answers.flatMap(({ errors }) => errors))],
    files: [...new Set(answers.flatMap(({ files }) => files))],
  };
}

/** Plans the request. Adds each file that a filter names to the inputs, as the fix of its error says. */
function answerTo(request: ConversionRequest, version: Recorded): PlannerAnswer {
  const files: string[] = [];
  for (;;) {
    const errors = errorsOf({ ...request, inputs: [...(request.inputs ?? []), ...files] }, version);
    const file = errors.map(fileOf).find((one) => one !== undefined && !files.includes(one));
    if (file === undefined) return { errors: errors.map(({ code }) => code), files };
    files.push(file);
  }
}

function errorsOf(request: ConversionRequest, version: Recorded): readonly FieldError[] {
  const result = planRequest(request, { catalogue: recordedCatalogue(version) });
  return result.ok ? [] : result.errors;
}

const fileOf = ({ code, message }: FieldError): string | undefined =>
  code === 'NOT_AN_INPUT' ? /reads the file "(.+?)"/.exec(message)?.[1] : undefined;
