import { ClientError } from '../../client/client-error.ts';
import type { CommandParameters } from './parameters.ts';

/** The rejection of a request, with the options as the caller wrote them: a message can show where in a value an error is. */
export class RejectedOptions extends ClientError {
  readonly parameters: CommandParameters;

  constructor(error: ClientError, parameters: CommandParameters) {
    const { kind, message, status, problem, retryAfterSeconds, cause } = error;
    super(kind, message, { status, problem, retryAfterSeconds, cause });
    this.parameters = parameters;
  }
}
