import { codeParts } from './code-parts.ts';

/** A text of the service, in which names between backticks are shown as code. It shows all messages, fixes and descriptions. */
export const WithCode = ({ text }: { readonly text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
  codeParts(text).map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
