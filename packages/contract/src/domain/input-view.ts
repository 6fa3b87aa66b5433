import type { InputSpec } from './conversion.ts';
import { hideSecrets } from './secret-options.ts';
import { hideUrlSecrets } from './url-input.ts';

/** An input of a request for a view, with keys, passwords and secrets in URLs hidden. */
export function inputView(input: string | InputSpec): string | InputSpec {
  if (typeof input === 'string') return hideUrlSecrets(input);
  return {
    ...input,
    ...(input.input !== undefined && { input: hideUrlSecrets(input.input) }),
    ...(input.parameters && { parameters: hideSecrets(input.parameters) }),
  };
}
