import { argumentLabel } from './argument-label.ts';

/** A message with the label of the field instead of the name that programs send: `End must be a time` of `"end" must be a time`. */
export const messageText = ({
  field,
  message,
}: {
  readonly field?: string | undefined;
  readonly message: string;
}): string =>
  field?.startsWith('/preset/arguments/') === true
    ? message.replace(/^"(\w+)"(?= must be )/, (_, name: string) => argumentLabel(name))
    : message;
