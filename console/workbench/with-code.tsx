/** A text in which names between backticks are shown as code. */
export function WithCode({ text }: { readonly text: string }) {
  return (
    text
      .split('`')
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key.
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
  );
}
